# SPDX-License-Identifier: GPL-2.0
OBJS_test_page := $(patsubst %,$(B)/obj/daemon/gateway/%.o,http http_field http_answer judge page coding route)
