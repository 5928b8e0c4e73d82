# SPDX-License-Identifier: GPL-2.0
OBJS_test_state := $(B)/obj/daemon/fmpd/state/state_format.o $(B)/obj/daemon/fmpd/state/state_file.o
