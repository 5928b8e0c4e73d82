# SPDX-License-Identifier: GPL-2.0
OBJS_test_http := $(B)/obj/daemon/gateway/http.o $(B)/obj/daemon/gateway/http_field.o $(B)/obj/daemon/gateway/http_answer.o
