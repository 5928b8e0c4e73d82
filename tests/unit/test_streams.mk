# SPDX-License-Identifier: GPL-2.0
OBJS_test_streams := $(B)/obj/daemon/fmpctl/streams.o $(B)/obj/daemon/fmpctl/packet.o
