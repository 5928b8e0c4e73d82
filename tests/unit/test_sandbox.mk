# SPDX-License-Identifier: GPL-2.0
OBJS_test_sandbox := $(B)/obj/daemon/gateway/filter.o
