# SPDX-License-Identifier: GPL-2.0
OBJS_test_loop_delay := $(B)/obj/daemon/gateway/common/loop_delay.o
