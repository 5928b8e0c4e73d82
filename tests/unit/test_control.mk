# SPDX-License-Identifier: GPL-2.0
OBJS_test_control := $(B)/obj/daemon/fmpd/request.o $(B)/obj/daemon/fmpctl/record.o
