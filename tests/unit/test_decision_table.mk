# SPDX-License-Identifier: GPL-2.0
OBJS_test_decision_table := $(B)/obj/daemon/fmpd/table/decision_table.o $(B)/obj/daemon/fmpd/table/mac_index.o $(B)/obj/daemon/fmpd/table/covering_block.o
