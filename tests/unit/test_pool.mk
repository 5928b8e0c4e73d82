# SPDX-License-Identifier: GPL-2.0
# The pool and what forks its workers; the workers are the test's own.
OBJS_test_pool := $(patsubst %,$(B)/obj/daemon/gateway/workers/%.o,pool fair_queue fork_server) \
	$(patsubst %,$(B)/obj/daemon/gateway/common/%.o,helper stream)
