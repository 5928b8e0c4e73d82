# SPDX-License-Identifier: GPL-2.0
OBJS_test_coding := $(B)/obj/daemon/gateway/coding.o
