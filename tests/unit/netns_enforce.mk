# SPDX-License-Identifier: GPL-2.0
# The enforcement room against a real kernel: run by tests/netns/run.
NETNS_OBJS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard tests/netns/*.c))
$(B)/tests/netns_enforce: $(NETNS_OBJS) $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $(NETNS_OBJS) $(LIB) $(PKG_LIBS)
tests: $(B)/tests/netns_enforce
vm-tests: $(B)/tests/netns_enforce
