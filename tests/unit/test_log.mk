# SPDX-License-Identifier: GPL-2.0
OBJS_test_log := $(patsubst %,$(B)/obj/daemon/fmpctl/log/%.o,log_entry log_access log_watch log_reader)
