# SPDX-License-Identifier: GPL-2.0
OBJS_test_learn := $(B)/obj/daemon/fmpctl/log/learn.o
