# SPDX-License-Identifier: GPL-2.0
OBJS_test_channel := $(B)/obj/daemon/fmpd/supervisor/channel.o
