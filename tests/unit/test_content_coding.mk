# SPDX-License-Identifier: GPL-2.0
# Of which there may be none.
LIBS_test_content_coding := -Wl,--wrap=realloc -Wl,--wrap=inflateInit2_ -Wl,--wrap=inflate
