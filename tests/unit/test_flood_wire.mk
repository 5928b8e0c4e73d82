# SPDX-License-Identifier: GPL-2.0
OBJS_test_flood_wire := $(patsubst %,$(B)/obj/daemon/flood/%.o,response frame source stats target)
