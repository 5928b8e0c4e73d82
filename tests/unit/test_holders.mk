# SPDX-License-Identifier: GPL-2.0
OBJS_test_holders := $(B)/obj/daemon/fmpd/holders.o
