# SPDX-License-Identifier: GPL-2.0
OBJS_test_simulate := $(B)/obj/daemon/fmpctl/log/simulate.o
