# SPDX-License-Identifier: GPL-2.0
LIBS_test_tokens := -Wl,--wrap=readdir64
