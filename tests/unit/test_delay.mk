# SPDX-License-Identifier: GPL-2.0
OBJS_test_delay := $(B)/obj/daemon/gateway/delay.o
