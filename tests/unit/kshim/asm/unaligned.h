/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_KSHIM_UNALIGNED_H
#define _FMP_KSHIM_UNALIGNED_H

#include "../kshim.h"

/* Through a packed struct, as the kernel does; UBSan then minds no alignment. */
#define get_unaligned(p)                                                          \
	({                                                                        \
		const struct {                                                    \
			__typeof__(*(p)) v;                                       \
		} __attribute__((packed, may_alias)) *_fmp_p = (const void *)(p); \
		_fmp_p->v;                                                        \
	})

static inline u16 get_unaligned_be16(const void *p)
{
	return be16_to_cpu(get_unaligned((const u16 *)p));
}

static inline u32 get_unaligned_be32(const void *p)
{
	return be32_to_cpu(get_unaligned((const u32 *)p));
}

static inline void put_unaligned_be16(u16 v, void *p)
{
	u8 *b = p;

	b[0] = v >> 8;
	b[1] = v;
}

static inline void put_unaligned_be32(u32 v, void *p)
{
	put_unaligned_be16(v >> 16, p);
	put_unaligned_be16(v, (u8 *)p + 2);
}

static inline u16 get_unaligned_le16(const void *p)
{
	const u8 *b = p;

	return b[0] | b[1] << 8;
}

#endif /* _FMP_KSHIM_UNALIGNED_H */
