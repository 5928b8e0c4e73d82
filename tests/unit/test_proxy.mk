# SPDX-License-Identifier: GPL-2.0
OBJS_test_proxy := $(B)/obj/daemon/gateway/proxy.o
