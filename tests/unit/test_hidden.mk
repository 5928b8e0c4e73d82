# SPDX-License-Identifier: GPL-2.0
LIBS_test_hidden = $(WORK_LIBS)
OBJS_test_hidden := $(ATTACK_OBJS)
OBJS_test_hidden_header := $(ATTACK_OBJS)
OBJS_test_headers := $(ATTACK_OBJS)
OBJS_test_empty := $(ATTACK_OBJS)
OBJS_test_context := $(ATTACK_OBJS)
OBJS_test_signed_more := $(ATTACK_OBJS)
