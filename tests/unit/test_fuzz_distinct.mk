# SPDX-License-Identifier: GPL-2.0
OBJS_test_fuzz_distinct := $(B)/obj/tests/fuzz/distinct.o
