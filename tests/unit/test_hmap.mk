# SPDX-License-Identifier: GPL-2.0
LIBS_test_hmap := -Wl,--wrap=calloc,--wrap=reallocarray
