# SPDX-License-Identifier: GPL-2.0
OBJS_test_allowance := $(B)/obj/daemon/fmpd/allowance.o
