# SPDX-License-Identifier: GPL-2.0
OBJS_test_token_bucket := $(B)/obj/daemon/fmpd/control/token_bucket.o
