# SPDX-License-Identifier: GPL-2.0
OBJS_test_seccomp_filter := $(B)/obj/daemon/gateway/sandbox/seccomp_filter.o
