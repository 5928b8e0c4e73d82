/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Userspace replacement of the kernel headers that the dissector and kshim users need
 *
 * The sources of kernel/ are compiled unchanged, with this directory before the
 * system's headers in the search path, followed by the kernel's userspace headers.
 */
#ifndef _FMP_KSHIM_H
#define _FMP_KSHIM_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The filter is there. Unaligned words as on ARMv5 or MIPS: the other way is what KUnit and the test VM run. */
#define IS_ENABLED(option)			     KSHIM_##option
#define KSHIM_CONFIG_FMP			     1
#define KSHIM_CONFIG_CFG80211			     1
#define KSHIM_CONFIG_HAVE_EFFICIENT_UNALIGNED_ACCESS 0

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

/* Constant expressions, unlike those of libc: they are used in case labels. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define htons(x)       ((u16)__builtin_bswap16(x))
#define htonl(x)       ((u32)__builtin_bswap32(x))
#define cpu_to_be64(x) ((u64)__builtin_bswap64(x))
#else
#define htons(x)       ((u16)(x))
#define htonl(x)       ((u32)(x))
#define cpu_to_be64(x) ((u64)(x))
#endif
#define ntohs(x)       htons(x)
#define ntohl(x)       htonl(x)
#define cpu_to_be16(x) htons(x)
#define cpu_to_be32(x) htonl(x)
#define be16_to_cpu(x) htons(x)
#define be32_to_cpu(x) htonl(x)
#define be64_to_cpu(x) cpu_to_be64(x)

/* A mark for sparse. */
#define __force

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#define U8_MAX		 UINT8_MAX
#define BIT(n)		 (1UL << (n))
#define ARRAY_SIZE(a)	 (sizeof(a) / sizeof((a)[0]))
#define IS_ALIGNED(x, a) (((x) & ((a)-1)) == 0)
#undef __always_inline
#define __always_inline inline __attribute__((always_inline))
#ifndef fallthrough
#define fallthrough __attribute__((fallthrough))
#endif

#endif /* _FMP_KSHIM_H */
