# SPDX-License-Identifier: GPL-2.0
# What decryption costs is counted where it is paid.
LIBS_test_decrypt := -Wl,--wrap=EVP_PKEY_decrypt,--wrap=EVP_DecryptUpdate,--wrap=xmlCtxtReadMemory
