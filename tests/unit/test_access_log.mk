# SPDX-License-Identifier: GPL-2.0
OBJS_test_access_log := $(B)/obj/daemon/gateway/service/access_log.o
