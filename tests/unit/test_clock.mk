# SPDX-License-Identifier: GPL-2.0
OBJS_test_clock := $(B)/obj/daemon/gateway/common/clock.o
