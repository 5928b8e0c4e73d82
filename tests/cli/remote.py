# SPDX-License-Identifier: GPL-2.0
"""
A Web service for the scripts gateway_*.sh that answers with what it is told to.

Usage: [HOST=ADDRESS] remote.py ANSWER LOG [CERTIFICATE KEY]

Says its address as the programs do. To each POST it answers with the bytes of the file ANSWER,
whose first line is "STATUS CONTENT-TYPE", and notes path, SOAPAction, length and, where there is one,
Content-Encoding in LOG. With FIELDS=FILE that file holds header and body of the latest POST.
"""
import http.server
import os
import socket
import ssl
import sys

answer, log = sys.argv[1:3]


class Service(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with open(log, "a") as out:
            coding = self.headers.get_all("Content-Encoding", [])
            print(self.path, self.headers["SOAPAction"], len(body), *coding, file=out)
        if "FIELDS" in os.environ:
            with open(os.environ["FIELDS"], "wb") as out:
                out.write(bytes(self.headers) + body)
        with open(answer, "rb") as file:
            head, _, body = file.read().partition(b"\n")
        status, _, kind = head.decode().partition(" ")
        self.send_response(int(status))
        if kind:
            self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


host = os.environ.get("HOST", "127.0.0.1")
http.server.ThreadingHTTPServer.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
server = http.server.ThreadingHTTPServer((host, 0), Service)
if len(sys.argv) > 3:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*sys.argv[3:])
    server.socket = context.wrap_socket(server.socket, server_side=True)
print("listening on %s:%d" % (host, server.server_port), flush=True)
server.serve_forever()
