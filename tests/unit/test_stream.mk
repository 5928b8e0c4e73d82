# SPDX-License-Identifier: GPL-2.0
OBJS_test_stream := $(B)/obj/daemon/gateway/common/stream.o
