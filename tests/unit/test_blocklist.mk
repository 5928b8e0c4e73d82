# SPDX-License-Identifier: GPL-2.0
OBJS_test_blocklist := $(B)/obj/daemon/gateway/peer/blocklist.o
