# SPDX-License-Identifier: GPL-2.0
"""
A Web service for gateway_oneway.sh that holds each answer back, as long polling does.

Usage: slow_service.py LOG

Says its address as the programs do. A POST to /SECONDS is answered after so long with an Envelope.
LOG gets a line for each request when it came, and one when it was answered.
"""
import http.server
import sys
import time

ENVELOPE = b'<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><late/></s:Body></s:Envelope>'


class Service(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def note(self, what):
        with open(sys.argv[1], "a", encoding="ascii") as out:
            print(what, file=out)

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.note("came")
        time.sleep(float(self.path[1:]))
        self.note("answered")
        self.send_response(200)
        self.send_header("Content-Type", "application/soap+xml; charset=utf-8")
        self.send_header("Content-Length", str(len(ENVELOPE)))
        self.end_headers()
        self.wfile.write(ENVELOPE)

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
print("listening on 127.0.0.1:%d" % server.server_port, flush=True)
server.serve_forever()
