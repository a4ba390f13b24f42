"""Servers with faults, in this process."""

import http.server
import socket
import threading
import time

from servers import BUCKET, environment, free_port

PAGE = b"<html>please log in</html>"


class Refused:
    """An address at which nothing listens."""

    def __init__(self, scheme):
        self.port = free_port()
        self.url = f"grpc://127.0.0.1:{self.port}" if scheme == "grpc" else f"s3://{BUCKET}/fake"
        at = None if scheme == "grpc" else f"http://127.0.0.1:{self.port}"
        self.environment = environment(at)

    def stop(self):
        pass


class Hang(Refused):
    """Takes connections, and never answers."""

    def __init__(self, scheme):
        super().__init__(scheme)
        self.socket = socket.create_server(("127.0.0.1", self.port), backlog=1000)

    def stop(self):
        self.socket.close()


class Http(http.server.ThreadingHTTPServer):
    request_queue_size = 128


class FakeS3:
    """Objects in memory. Takes any signature. `fault` is what is wrong with it:

    - None: nothing;
    - slow503: 503, always;
    - half503: 503 to every second request;
    - denied, full: 403 or 507 to PUT;
    - dies: closes all connections after the request of number `last`;
    - drip: a byte in half a second;
    - endless: objects without end;
    - portal: 200 and a page to everything, as of a network that wants a password first.
    """

    def __init__(self, fault=None, last=0):
        self.fault, self.last = fault, last
        self.objects = {}
        self.lock = threading.Lock()
        self.count = 0
        self.connections = set()
        self.server = Http(("127.0.0.1", 0), handler(self))
        self.url = f"s3://{BUCKET}/fake"
        self.environment = environment(f"http://127.0.0.1:{self.server.server_port}")
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
        for connection in list(self.connections):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def answer(self, method, path, head, body):
        """The status and bytes for a request; a status of 0 closes the connection."""
        with self.lock:
            self.count += 1
            number = self.count
        if self.fault == "dies" and number >= self.last:
            if number == self.last:
                threading.Thread(target=self.stop, daemon=True).start()
            return 0, b""
        if self.fault == "slow503" or self.fault == "half503" and number % 2:
            return 503, b""
        if self.fault == "portal":
            return 200, PAGE
        if method == "PUT":
            refusal = {"denied": 403, "full": 507}.get(self.fault)
            if refusal:
                return refusal, b""
            with self.lock:
                if head.get("If-None-Match") == "*" and path in self.objects:
                    return 412, b""
                self.objects[path] = body
            return 200, b""
        if self.fault in ("drip", "endless"):
            return 200, b"navtile\0" * 1000
        found = self.objects.get(path)
        return (404, b"") if found is None else (200, found)


def handler(fake):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def setup(self):
            super().setup()
            fake.connections.add(self.connection)

        def finish(self):
            fake.connections.discard(self.connection)
            try:
                super().finish()
            except OSError:
                pass

        def handle(self):
            try:
                super().handle()
            except OSError:
                pass

        def log_message(self, *_):
            pass

        def answer(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            path = self.path.partition("?")[0]
            status, data = fake.answer(self.command, path, self.headers, body)
            if status == 0:
                self.close_connection = True
                return
            endless = fake.fault == "endless" and self.command == "GET"
            self.send_response(status)
            self.send_header("Content-Length", str(1 << 40 if endless else len(data)))
            self.send_header("ETag", '"navbake"')
            self.send_header("Last-Modified", "Mon, 30 Nov 2026 00:00:00 GMT")
            self.end_headers()
            if self.command == "HEAD":
                return
            if endless:
                while True:
                    self.wfile.write(data)
            if fake.fault != "drip":
                self.wfile.write(data)
                return
            for byte in data:
                self.wfile.write(bytes([byte]))
                time.sleep(0.5)

        do_GET = do_PUT = do_HEAD = do_POST = do_DELETE = answer

    return Handler
