# SPDX-License-Identifier: GPL-2.0
OBJS_test_clients := $(B)/obj/daemon/fmpd/control/clients.o $(B)/obj/daemon/fmpd/control/unix_listen.o $(B)/obj/daemon/fmpd/common/log.o
