# SPDX-License-Identifier: GPL-2.0
OBJS_test_keeper := $(addprefix $(B)/obj/daemon/gateway/,keeper.o keys.o helper.o sandbox.o filter.o)
