# SPDX-License-Identifier: GPL-2.0
OBJS_test_flood_pace := $(patsubst %,$(B)/obj/daemon/flood/%.o,pace scenario stats)
