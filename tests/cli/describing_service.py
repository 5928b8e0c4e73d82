# SPDX-License-Identifier: GPL-2.0
"""
A Web service for gateway_describe.sh that answers GET with a file, and POST with a fixed envelope.

Usage: describing_service.py FILE LOG

GET: the file, whose first line is "STATUS CONTENT-TYPE", with @HERE@ replaced by the service's own
host and port. Notes method, target and Accept-Encoding of each request in LOG.
"""

import http.server
import sys

answer, log = sys.argv[1:3]
ENVELOPE = (
    b'<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>'
    b'<pong xmlns="urn:ping">1</pong></s:Body></s:Envelope>'
)


class Service(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def reply(self, status, kind, body):
        with open(log, "a") as out:
            print(self.command, self.path, self.headers["Accept-Encoding"], file=out)
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        with open(answer, "rb") as file:
            head, _, body = file.read().partition(b"\n")
        status, _, kind = head.decode().partition(" ")
        self.reply(int(status), kind, body.replace(b"@HERE@", b"127.0.0.1:%d" % self.server.server_port))

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.reply(200, "text/xml; charset=utf-8", ENVELOPE)

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
print("listening on 127.0.0.1:%d" % server.server_port, flush=True)
server.serve_forever()
