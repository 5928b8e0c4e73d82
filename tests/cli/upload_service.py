# SPDX-License-Identifier: GPL-2.0
"""
A Web service for gateway_stream.sh that reads a request with attachments.

Usage: upload_service.py LOG

Says its address as the programs do. What a POST brings is written to LOG, a line each: path, how the body was framed, whether
it was complete, its bytes, their SHA-256. /early answers with 401 before it reads the body, /gone closes in its midst, /slow reads
4 MB a second, /stuck does not read.
"""
import hashlib
import socketserver
import sys
import time

ANSWER = (
    b'<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>'
    b'<o:taken xmlns:o="urn:taken"/></s:Body></s:Envelope>'
)


class Incomplete(Exception):
    pass


class Service(socketserver.StreamRequestHandler):
    def read(self, size):
        piece = self.rfile.read(size)
        if len(piece) < size:
            raise Incomplete
        return piece

    def pieces(self, fields):
        if "transfer-encoding" in fields:
            while size := int(self.rfile.readline() or b"x", 16):
                yield self.read(size)
                self.read(2)
            self.read(2)
            return
        left = int(fields["content-length"])
        while left:
            piece = self.rfile.read1(min(left, 65536))
            if not piece:
                raise Incomplete
            left -= len(piece)
            yield piece

    def serve_one(self):
        line = self.rfile.readline()
        if not line:
            return False
        path = line.split()[1].decode()
        fields = {}
        while (line := self.rfile.readline().decode().strip()):
            name, value = line.split(":", 1)
            fields[name.lower()] = value.strip()
        if path == "/early":
            self.wfile.write(b"HTTP/1.1 401 no\r\nWWW-Authenticate: Basic\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            return False
        if path == "/stuck":
            time.sleep(90)
            return False
        framing = "chunks" if "transfer-encoding" in fields else "length"
        digest, size, complete = hashlib.sha256(), 0, "complete"
        try:
            for piece in self.pieces(fields):
                digest.update(piece)
                size += len(piece)
                if path == "/gone" and size > 300000:
                    return False
                if path == "/slow":
                    time.sleep(len(piece) / 4e6)
        except (Incomplete, OSError, ValueError):
            complete = "incomplete"
        with open(sys.argv[1], "a") as log:
            print(path, framing, complete, size, digest.hexdigest(), file=log)
        if complete != "complete":
            return False
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: %d\r\n\r\n%s" % (len(ANSWER), ANSWER))
        return True

    def handle(self):
        try:
            while self.serve_one():
                pass
        except OSError:
            pass


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


server = Server(("127.0.0.1", 0), Service)
print("listening on 127.0.0.1:%d" % server.server_address[1], flush=True)
server.serve_forever()
