# SPDX-License-Identifier: GPL-2.0
OBJS_test_learn := $(addprefix $(B)/obj/daemon/fmpctl/log/,learn.o learn_gateway.o observed.o)
