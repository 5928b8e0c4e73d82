# SPDX-License-Identifier: GPL-2.0
OBJS_test_fair_queue := $(B)/obj/daemon/gateway/workers/fair_queue.o
