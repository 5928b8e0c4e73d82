# SPDX-License-Identifier: GPL-2.0
OBJS_test_backend := $(patsubst %,$(B)/obj/daemon/gateway/%.o,backend backend_line backend_tls verify tls_meter backend_url stream http \
	http_field http_answer)
