# SPDX-License-Identifier: GPL-2.0
OBJS_test_key_agent := $(patsubst %,$(B)/obj/daemon/gateway/keys/%.o,agent_call key_agent pss remote_keys) \
	$(B)/obj/daemon/gateway/common/helper.o $(patsubst %,$(B)/obj/daemon/gateway/sandbox/%.o,sandbox seccomp_filter)
