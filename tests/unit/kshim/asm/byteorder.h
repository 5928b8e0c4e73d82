/* SPDX-License-Identifier: GPL-2.0 */
#include_next <asm/byteorder.h>

#include "../kworld.h"
