# SPDX-License-Identifier: GPL-2.0
OBJS_test_output_tree := $(B)/obj/tests/lib/canonical.o
