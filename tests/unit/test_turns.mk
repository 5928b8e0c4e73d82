# SPDX-License-Identifier: GPL-2.0
OBJS_test_turns := $(B)/obj/daemon/gateway/turns.o
