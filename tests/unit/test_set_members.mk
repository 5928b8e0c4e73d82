# SPDX-License-Identifier: GPL-2.0
OBJS_test_set_members := $(B)/obj/daemon/fmpd/table/set_members.o
