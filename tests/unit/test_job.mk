# SPDX-License-Identifier: GPL-2.0
OBJS_test_job := $(B)/obj/daemon/gateway/job.o
