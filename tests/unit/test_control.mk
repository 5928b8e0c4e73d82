# SPDX-License-Identifier: GPL-2.0
OBJS_test_control := $(B)/obj/daemon/fmpd/control/request.o $(B)/obj/daemon/fmpctl/lib/record.o
