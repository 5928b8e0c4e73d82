# SPDX-License-Identifier: GPL-2.0
GENOBJS_fmp-gateway := $(GEN)/env/soapC.o
# A moment that is over wherever this runs, in seconds since 1970; 2026-01-01 if nobody says.
EXTRA_daemon/gateway := -isystem $(GEN)/env -DFMP_MADE=$(or $(SOURCE_DATE_EPOCH),1767225600)
$(patsubst %.c,$(B)/obj/%.o,$(wildcard daemon/gateway/*.c)): $(GSOAP_ENV)
