# SPDX-License-Identifier: GPL-2.0
OBJS_test_flood_wire := $(patsubst %,$(B)/obj/daemon/flood/%.o,answer frame source stats target)
