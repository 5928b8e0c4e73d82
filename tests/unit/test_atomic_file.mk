# SPDX-License-Identifier: GPL-2.0
OBJS_test_atomic_file := $(B)/obj/daemon/fmpd/state/atomic_file.o
