# SPDX-License-Identifier: GPL-2.0
# Comparisons of addresses are counted.
LIBS_test_groups := -Wl,--wrap=fmp_addr_compare,--wrap=fmp_addr_contains,--wrap=fmp_addr_overlaps
