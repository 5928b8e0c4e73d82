# SPDX-License-Identifier: GPL-2.0
# What decryption costs is counted where it is paid: work.h.
WORK_LIBS := -Wl,--wrap=EVP_PKEY_decrypt,--wrap=EVP_DecryptUpdate,--wrap=xmlCtxtReadMemory,--wrap=fmpi_screen,--wrap=fmpi_soap_read
LIBS_test_decrypt := $(WORK_LIBS)
