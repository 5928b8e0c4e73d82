# SPDX-License-Identifier: GPL-2.0
OBJS_test_observation := $(B)/obj/daemon/gateway/common/observe_budget.o
