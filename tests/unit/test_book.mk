# SPDX-License-Identifier: GPL-2.0
OBJS_test_book := $(B)/obj/daemon/fmpd/book.o $(B)/obj/daemon/fmpd/macs.o
