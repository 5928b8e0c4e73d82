# SPDX-License-Identifier: GPL-2.0
"""
A Web service for gateway_relay.sh that answers with an attachment.

Usage: attachment_service.py

Says its address as the programs do. A POST to /FRAMING/BYTES[/CUT] is answered by multipart/related with an attachment of
so many bytes, with FRAMING length, chunks or close; after CUT bytes the connection is closed.
"""
import http.server

HEAD = (
    b"--b\r\nContent-Type: text/xml\r\nContent-ID: <root>\r\n\r\n"
    b'<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body/></s:Envelope>'
    b"\r\n--b\r\nContent-Type: image/png\r\nContent-ID: <a>\r\n\r\n"
)
TAIL = b"\r\n--b--\r\n"
PIECE = bytes(i % 251 for i in range(65521))


def pieces(size):
    yield HEAD
    while size > 0:
        yield PIECE[:size]
        size -= len(PIECE)
    yield TAIL


class Service(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        framing, size, *cut = self.path[1:].split("/")
        left = int(cut[0]) if cut else None
        self.send_response(200)
        self.send_header("Content-Type", 'multipart/related; boundary=b; type="text/xml"; start="<root>"')
        if framing == "length":
            self.send_header("Content-Length", str(len(HEAD) + int(size) + len(TAIL)))
        elif framing == "chunks":
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Connection", "close")
        self.end_headers()
        try:
            for piece in pieces(int(size)):
                if left is not None:
                    piece = piece[:left]
                    left -= len(piece)
                if piece and framing == "chunks":
                    piece = b"%x\r\n%s\r\n" % (len(piece), piece)
                self.wfile.write(piece)
            if framing == "chunks" and left is None:
                self.wfile.write(b"0\r\n\r\n")
        except OSError:  # the other side has given up
            self.close_connection = True
        self.close_connection |= left is not None or framing == "close"

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
print("listening on 127.0.0.1:%d" % server.server_port, flush=True)
server.serve_forever()
