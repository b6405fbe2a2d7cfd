"""A folder and sockets that tell whether anything reached them."""

import socket
import threading
from pathlib import Path


class Host:
    """A folder with canaries, and sockets that count who connects."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.connected: list[str] = []
        for name in ("secret.txt", "doomed.txt"):
            (folder / name).write_text("secret\n")
        self._sockets = [
            self._listen("network", socket.AF_INET, ("127.0.0.1", 0)),
            self._listen("file", socket.AF_UNIX, str(folder / "socket")),
        ]
        self.port = self._sockets[0].getsockname()[1]

    def _listen(self, name: str, family: int, address: object) -> socket.socket:
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.bind(address)
        listener.listen()
        threading.Thread(target=self._accept, args=(name, listener), daemon=True).start()
        return listener

    def _accept(self, name: str, listener: socket.socket) -> None:
        while True:
            try:
                accepted, _ = listener.accept()
            except OSError:
                return
            self.connected.append(name)
            accepted.close()

    def untouched(self) -> bool:
        left = {path.name: path.stat().st_size for path in self.folder.iterdir()}
        return left == {"secret.txt": 7, "doomed.txt": 7, "socket": 0} and not self.connected

    def close(self) -> None:
        for listener in self._sockets:
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()
