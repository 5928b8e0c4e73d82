# SPDX-License-Identifier: GPL-2.0
OBJS_test_flood_message := $(patsubst %,$(B)/obj/daemon/flood/%.o,keys message order scenario sign text)
