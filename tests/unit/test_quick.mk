# SPDX-License-Identifier: GPL-2.0
OBJS_test_quick := $(B)/obj/tests/lib/same_tree.o
