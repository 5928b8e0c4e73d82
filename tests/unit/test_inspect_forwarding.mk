# SPDX-License-Identifier: GPL-2.0
OBJS_test_inspect_forwarding := $(B)/obj/daemon/fmpctl/inspect/forwarding.o
