# SPDX-License-Identifier: GPL-2.0
OBJS_test_verify := $(B)/obj/daemon/gateway/verify.o
LIBS_test_verify := -lssl
