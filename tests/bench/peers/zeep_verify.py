# SPDX-License-Identifier: GPL-2.0
"""What zeep does with a signed answer before it reads it: parse, verify; no schema, no Timestamp.

Usage: zeep_verify.py CERTIFICATE COUNT MESSAGE

Prints the CPU microseconds of one; one more has gone before. CERTIFICATE is the signer's.
"""

import sys
import time

from lxml import etree
from zeep.wsse.signature import verify_envelope


def main(certificate, count, path):
    with open(path, "rb") as file:
        message = file.read()

    def once():
        verify_envelope(etree.fromstring(message), certificate)

    once()
    start = time.process_time_ns()
    for _ in range(int(count)):
        once()
    print(f"cpu_us {(time.process_time_ns() - start) / 1000 / int(count):.2f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
