// SPDX-License-Identifier: GPL-2.0
/* Exponential decay in whole numbers: the same on every machine. */
#include <suspicion/decay.h>

#define STEPS_LOG 6 /* the table has 64 steps a halving */
#define STEPS	  (1u << STEPS_LOG)

/* 2^32 * 2^(-i / 64); between two rows the straight line is off by 15 millionths at most. */
static const uint64_t halving[STEPS + 1] = {
	4294967296u, 4248701965u, 4202935003u, 4157661043u, 4112874773u, 4068570940u, 4024744348u,
	3981389855u, 3938502376u, 3896076880u, 3854108391u, 3812591987u, 3771522796u, 3730896002u,
	3690706840u, 3650950594u, 3611622603u, 3572718252u, 3534232978u, 3496162267u, 3458501653u,
	3421246719u, 3384393094u, 3347936457u, 3311872529u, 3276197082u, 3240905930u, 3205994934u,
	3171459999u, 3137297074u, 3103502151u, 3070071267u, 3037000500u, 3004285971u, 2971923842u,
	2939910317u, 2908241642u, 2876914102u, 2845924021u, 2815267765u, 2784941738u, 2754942382u,
	2725266179u, 2695909648u, 2666869345u, 2638141863u, 2609723834u, 2581611923u, 2553802834u,
	2526293303u, 2499080105u, 2472160047u, 2445529972u, 2419186755u, 2393127307u, 2367348571u,
	2341847524u, 2316621173u, 2291666561u, 2266980759u, 2242560872u, 2218404036u, 2194507417u,
	2170868212u, 2147483648u,
};

uint64_t fmpi_decay(uint64_t rank, uint64_t dt_ms, uint64_t half_life_ms)
{
	uint64_t whole, position, step, part, factor;

	if (!half_life_ms || !dt_ms)
		return rank;
	whole = dt_ms / half_life_ms;
	if (whole >= 32)
		return 0;
	/* 16 bits of a halving: the upper choose the row, the lower the place behind it. */
	position = ((dt_ms % half_life_ms) << 16) / half_life_ms;
	step = position >> (16 - STEPS_LOG);
	part = position & ((1u << (16 - STEPS_LOG)) - 1);
	factor = halving[step] - ((halving[step] - halving[step + 1]) * part >> (16 - STEPS_LOG));
	return rank * factor >> 32 >> whole;
}

uint64_t fmpi_decay_time(uint64_t rank, uint64_t half_life_ms)
{
	uint64_t mantissa, halvings;
	unsigned top, low = 0, high = STEPS;

	if (!rank)
		return 0;
	top = 63 - (unsigned)__builtin_clzll(rank);
	/* 2^(log2(rank) - top - 1), in the table's 32 bits: above a half, at most just below one. */
	mantissa = rank << (31 - top);
	while (high - low > 1) {
		unsigned mid = (low + high) / 2;

		if (halving[mid] >= mantissa)
			low = mid;
		else
			high = mid;
	}
	halvings = ((uint64_t)(top + 1) << 16) - ((uint64_t)low << (16 - STEPS_LOG)) -
		   ((halving[low] - mantissa) << (16 - STEPS_LOG)) / (halving[low] - halving[high]);
	return halvings * half_life_ms >> 16;
}
