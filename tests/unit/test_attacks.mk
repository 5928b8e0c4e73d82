# SPDX-License-Identifier: GPL-2.0
OBJS_test_attacks := $(ATTACK_OBJS)
