# SPDX-License-Identifier: GPL-2.0
# inspect reads raw requests with the gateway's own strict reader.
GENOBJS_fmpctl := $(B)/obj/daemon/gateway/http.o $(B)/obj/daemon/gateway/http_field.o
