# SPDX-License-Identifier: GPL-2.0
OBJS_test_fmpd_log := $(B)/obj/daemon/fmpd/common/log.o
