# SPDX-License-Identifier: GPL-2.0
OBJS_test_netns_lock := $(B)/obj/daemon/fmpd/supervisor/netns_lock.o $(B)/obj/daemon/fmpd/common/log.o
