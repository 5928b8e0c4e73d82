# SPDX-License-Identifier: GPL-2.0
OBJS_test_barred := $(B)/obj/daemon/gateway/barred.o
