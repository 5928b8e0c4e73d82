# SPDX-License-Identifier: GPL-2.0
"""
A Web service over TLS that asks for client certificates, for gateway_client_certificates.sh.

Usage: mutual_tls.py LOG CERTIFICATE KEY CLIENT_CA {1.2|1.3} {required|optional}

Answers each POST with an empty SOAP message, and notes in LOG: TLS version, the client's common name
("-": no certificate), the name that SNI asked for ("-": none).
"""
import http.server
import socketserver
import ssl
import sys

log, certificate, key, client_ca, version, demand = sys.argv[1:7]
ANSWER = b'<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body/></e:Envelope>'


class Service(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        subject = (self.connection.getpeercert() or {}).get("subject", ())
        names = [value for part in subject for name, value in part if name == "commonName"]
        with open(log, "a") as out:
            asked = getattr(self.connection, "asked", None)
            print(self.connection.version(), *(names or ["-"]), asked or "-", file=out)
        self.send_response(200)
        self.send_header("Content-Type", "text/xml")
        self.send_header("Content-Length", str(len(ANSWER)))
        # A connection each: each is a handshake.
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(ANSWER)
        self.close_connection = True

    def log_message(self, *args):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    # The handshake belongs to the thread of its connection.
    def finish_request(self, request, client_address):
        try:
            request = context.wrap_socket(request, server_side=True)
        except (ssl.SSLError, OSError):
            return
        super().finish_request(request, client_address)
        try:
            request.unwrap()
        except (ssl.SSLError, OSError):
            pass

    def handle_error(self, request, client_address):
        pass


def note_name(connection, name, _):
    connection.asked = name


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
context.load_verify_locations(client_ca)
context.verify_mode = ssl.CERT_REQUIRED if demand == "required" else ssl.CERT_OPTIONAL
context.sni_callback = note_name
context.minimum_version = context.maximum_version = {
    "1.2": ssl.TLSVersion.TLSv1_2,
    "1.3": ssl.TLSVersion.TLSv1_3,
}[version]
server = Server(("127.0.0.1", 0), Service)
print("listening on 127.0.0.1:%d" % server.server_port, flush=True)
server.serve_forever()
