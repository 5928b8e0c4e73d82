# SPDX-License-Identifier: GPL-2.0
OBJS_test_fast_parser := $(B)/obj/tests/lib/same_tree.o
