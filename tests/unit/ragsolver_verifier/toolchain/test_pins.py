import base64

from ragsolver_verifier.toolchain import pins


def test_the_integrity_is_a_whole_sha512() -> None:
    algorithm, _, value = pins.PACKAGE_INTEGRITY.partition("-")
    assert algorithm == "sha512"
    assert len(base64.b64decode(value, validate=True)) == 64


def test_the_install_name_changes_with_package_and_patch() -> None:
    assert f"{pins.PACKAGE_VERSION}-{pins.PATCH_VERSION}" == pins.INSTALL_NAME
    assert f"{pins.PACKAGE_NAME}@{pins.PACKAGE_VERSION}" == pins.PACKAGE
