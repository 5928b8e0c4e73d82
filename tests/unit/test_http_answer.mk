# SPDX-License-Identifier: GPL-2.0
OBJS_test_http_answer = $(OBJS_test_http)
