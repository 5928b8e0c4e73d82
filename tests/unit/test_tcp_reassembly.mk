# SPDX-License-Identifier: GPL-2.0
OBJS_test_tcp_reassembly := $(B)/obj/daemon/fmpctl/replay/tcp_reassembly.o $(B)/obj/daemon/fmpctl/replay/packet.o
