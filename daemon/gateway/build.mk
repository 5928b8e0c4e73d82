# SPDX-License-Identifier: GPL-2.0
GENOBJS_fmp-gateway := $(GEN)/env/soapC.o
# A moment that is over wherever this runs, in seconds since 1970; 2026-01-01 if nobody says.
GW_FLAGS := -isystem $(GEN)/env -DFMP_MADE=$(or $(SOURCE_DATE_EPOCH),1767225600)
$(foreach d,daemon/gateway $(wildcard daemon/gateway/*/.),$(eval EXTRA_$(d:/.=) := $(GW_FLAGS)))
$(patsubst %.c,$(B)/obj/%.o,$(call srcs,fmp-gateway)): $(GSOAP_ENV)
