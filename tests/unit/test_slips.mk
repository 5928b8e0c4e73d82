# SPDX-License-Identifier: GPL-2.0
OBJS_test_slips := $(B)/obj/daemon/gateway/slips.o
