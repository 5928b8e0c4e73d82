# SPDX-License-Identifier: GPL-2.0
OBJS_test_coding := $(B)/obj/daemon/gateway/coding.o
# Of which there may be none.
LIBS_test_coding := -Wl,--wrap=realloc -Wl,--wrap=inflateInit2_ -Wl,--wrap=inflate
