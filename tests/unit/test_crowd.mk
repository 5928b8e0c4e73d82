# SPDX-License-Identifier: GPL-2.0
OBJS_test_crowd := $(B)/obj/daemon/gateway/crowd.o
