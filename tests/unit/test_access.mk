# SPDX-License-Identifier: GPL-2.0
OBJS_test_access := $(B)/obj/daemon/gateway/access.o
