# SPDX-License-Identifier: GPL-2.0
OBJS_test_grown := $(ATTACK_OBJS)
