# SPDX-License-Identifier: GPL-2.0
# The pool and what forks its workers; the workers are the test's own.
OBJS_test_pool := $(addprefix $(B)/obj/daemon/gateway/,pool.o turns.o spawner.o helper.o stream.o job.o)
