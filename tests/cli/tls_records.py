# SPDX-License-Identifier: GPL-2.0
"""
A TLS peer that says after its handshake whatever records it likes: Python's ssl shakes hands, and the records are
sealed here with the keys of that session (RFC 8446 7, RFC 5246 6.3 and RFC 5288; AES-GCM by libcrypto). Used by
tls_flood.py and the load tests.
"""
import ctypes
import hashlib
import hmac
import os
import socket
import ssl
import struct
import tempfile

ALERT, HANDSHAKE, DATA = 21, 22, 23
_crypto = ctypes.CDLL("libcrypto.so.3")
for _name in ("EVP_CIPHER_CTX_new", "EVP_aes_128_gcm", "EVP_aes_256_gcm"):
    getattr(_crypto, _name).restype = ctypes.c_void_p


def seal(key, nonce, extra, text):
    """AES-GCM. Return: ciphertext and tag."""
    out, n = ctypes.create_string_buffer(len(text) + 32), ctypes.c_int()
    ctx = ctypes.c_void_p(_crypto.EVP_CIPHER_CTX_new())
    cipher = _crypto.EVP_aes_128_gcm() if len(key) == 16 else _crypto.EVP_aes_256_gcm()
    _crypto.EVP_EncryptInit_ex(ctx, ctypes.c_void_p(cipher), None, key, nonce)
    _crypto.EVP_EncryptUpdate(ctx, None, ctypes.byref(n), extra, len(extra))
    _crypto.EVP_EncryptUpdate(ctx, out, ctypes.byref(n), text, len(text))
    tag = ctypes.create_string_buffer(16)
    _crypto.EVP_EncryptFinal_ex(ctx, tag, ctypes.byref(n))
    _crypto.EVP_CIPHER_CTX_ctrl(ctx, 0x10, 16, tag)
    _crypto.EVP_CIPHER_CTX_free(ctx)
    return out.raw[:len(text)] + tag.raw


def expand(secret, label, length, digest):
    """HKDF-Expand-Label without a context, of one block (RFC 8446 7.1)."""
    label = b"tls13 " + label
    info = struct.pack(">HB", length, len(label)) + label + b"\0\1"
    return hmac.new(secret, info, digest).digest()[:length]


def prf(secret, seed, length, digest):
    """TLS 1.2's (RFC 5246 5)."""
    out, a = b"", seed
    while len(out) < length:
        a = hmac.new(secret, a, digest).digest()
        out += hmac.new(secret, a + seed, digest).digest()
    return out[:length]


class Keys13:
    """What one side of TLS 1.3 seals with."""

    def __init__(self, secret, digest, size):
        self.digest, self.size = digest, size
        self._take(secret)

    def _take(self, secret):
        self.secret, self.sequence = secret, 0
        self.key = expand(secret, b"key", self.size, self.digest)
        self.iv = int.from_bytes(expand(secret, b"iv", 12, self.digest), "big")

    def record(self, kind, text):
        nonce = (self.iv ^ self.sequence).to_bytes(12, "big")
        self.sequence += 1
        head = struct.pack(">BHH", DATA, 0x0303, len(text) + 17)
        return head + seal(self.key, nonce, head, text + bytes([kind]))

    def key_update(self, asked=False):
        """One, after which all is sealed by the next keys (RFC 8446 4.6.3)."""
        out = self.record(HANDSHAKE, b"\x18\0\0\1" + bytes([asked]))
        self._take(expand(self.secret, b"traffic upd", self.digest().digest_size, self.digest))
        return out


class Keys12:
    """What a client of TLS 1.2 seals with, once its Finished is sent."""

    def __init__(self, key, salt):
        self.key, self.salt, self.sequence = key, salt, 1

    def record(self, kind, text):
        number = struct.pack(">Q", self.sequence)
        self.sequence += 1
        head = struct.pack(">BH", kind, 0x0303)
        sealed = seal(self.key, self.salt + number, number + head + struct.pack(">H", len(text)), text)
        return head + struct.pack(">H", len(sealed) + 8) + number + sealed


class Peer:
    """One connection after its handshake, of a client, or with `server` (a context) of a server."""

    def __init__(self, sock, version=ssl.TLSVersion.TLSv1_3, server=None):
        self.socket, self.secrets = sock, {}
        context = server or ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        if not server:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        context.minimum_version = context.maximum_version = version
        context.set_ciphers("ECDHE+AESGCM")
        if server:
            # The first record is to be ours.
            context.num_tickets = 0
        handle, log = tempfile.mkstemp()
        os.close(handle)
        context.keylog_filename = log
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_side=bool(server))
        self.seen = b""
        self._until(self.tls.do_handshake)
        with open(log, encoding="ascii") as file:
            for line in file:
                words = line.split()
                if len(words) == 3:
                    self.secrets[words[0]] = (bytes.fromhex(words[1]), bytes.fromhex(words[2]))
        os.unlink(log)
        self._make_keys(bool(server))

    def _until(self, step):
        while True:
            try:
                result = step()
                self._flush()
                return result
            except ssl.SSLWantReadError:
                self._flush()
                more = self.socket.recv(65536)
                if not more:
                    raise ConnectionError("closed") from None
                if len(self.seen) < 4096:
                    self.seen += more
                self.incoming.write(more)

    def _flush(self):
        if self.outgoing.pending:
            self.socket.sendall(self.outgoing.read())

    def _make_keys(self, is_server):
        name = self.tls.cipher()[0]
        size = 32 if "256" in name.split("SHA")[0] else 16
        digest = hashlib.sha384 if name.endswith("SHA384") else hashlib.sha256
        if "CLIENT_RANDOM" not in self.secrets:
            which = "SERVER" if is_server else "CLIENT"
            self.keys = Keys13(self.secrets[which + "_TRAFFIC_SECRET_0"][1], digest, size)
            return
        random, master = self.secrets["CLIENT_RANDOM"]
        # The server's random stands behind record header, message header and version of its hello.
        block = prf(master, b"key expansion" + self.seen[11:43] + random, 2 * size + 8, digest)
        self.keys = Keys12(block[:size], block[2 * size:2 * size + 4])

    def data(self, text):
        return self.keys.record(DATA, text)

    def send(self, text):
        self.socket.sendall(self.data(text))

    def receive(self):
        return self._until(lambda: self.tls.read(65536))


def connect(port, source="127.0.0.1"):
    sock = socket.create_connection(("127.0.0.1", port), 20, (source, 0))
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


def hello(version=0x0303):
    """A ClientHello of TLS 1.2 and 1.3 as one handshake message, without its record."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    outgoing = ssl.MemoryBIO()
    tls = context.wrap_bio(ssl.MemoryBIO(), outgoing)
    try:
        tls.do_handshake()
    except ssl.SSLWantReadError:
        pass
    return outgoing.read()[5:]


def plain(kind, text, version=0x0303):
    return struct.pack(">BHH", kind, version, len(text)) + text
