# SPDX-License-Identifier: GPL-2.0
OBJS_test_syn := $(B)/obj/daemon/gateway/peer/syn.o
