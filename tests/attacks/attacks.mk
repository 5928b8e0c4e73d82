# SPDX-License-Identifier: GPL-2.0
#
# make attacks   build/tests/attacks: writes the corpus of attacks, measures what each costs
#
# The unit test takes all but the program itself. What is HTTP is read and judged by the gateway's own.

ATTACK_OBJS := $(patsubst %.c,$(B)/obj/%.o,$(filter-out %/main.c,$(wildcard tests/attacks/*.c)))
EXTRA_tests/unit += -Itests/attacks

attacks: $(B)/tests/attacks
$(B)/tests/attacks: $(B)/obj/tests/attacks/main.o $(ATTACK_OBJS) $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS)

.PHONY: attacks
