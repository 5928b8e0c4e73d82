# SPDX-License-Identifier: GPL-2.0
OBJS_test_keeper := $(addprefix $(B)/obj/daemon/gateway/,keeper.o keys.o pass_fd.o sandbox.o filter.o)
