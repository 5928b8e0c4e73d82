# SPDX-License-Identifier: GPL-2.0
OBJS_test_clients := $(B)/obj/daemon/fmpd/clients.o $(B)/obj/daemon/fmpd/unix_listen.o $(B)/obj/daemon/fmpd/log.o
