# SPDX-License-Identifier: GPL-2.0
OBJS_test_backend := $(patsubst %,$(B)/obj/daemon/gateway/backend/%.o,backend backend_conn backend_tls backend_url) \
	$(patsubst %,$(B)/obj/daemon/gateway/common/%.o,verify tls_file tls_meter stream)
