/* SPDX-License-Identifier: GPL-2.0 */
/* For scripts/lib/kernel_clang, behind <linux/kconfig.h>. */
#undef CONFIG_CC_HAS_NAMED_AS
#undef CONFIG_USE_X86_SEG_SUPPORT
#if __clang_major__ < 18
#undef CONFIG_CC_HAS_COUNTED_BY
#undef CONFIG_CC_HAS_COUNTED_BY_PTR
#endif
/* Static keys of s390x want a constraint that clang has from 15 on. */
#if defined(__s390x__) && __clang_major__ < 15
#undef CONFIG_JUMP_LABEL
#endif
