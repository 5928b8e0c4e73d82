# SPDX-License-Identifier: GPL-2.0
OBJS_test_source_limits := $(B)/obj/daemon/gateway/peer/source_limits.o
