# SPDX-License-Identifier: GPL-2.0
OBJS_test_verify := $(B)/obj/daemon/gateway/common/verify.o
LIBS_test_verify := -lssl
