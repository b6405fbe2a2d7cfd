import pytest

from ragsolver_runtime.blobs import BlobStore, reference_of
from ragsolver_runtime.errors import BlobError
from suites.fake_bus import FakeJetStream


async def test_content_comes_back_by_its_reference_and_is_stored_once():
    js = FakeJetStream()
    store = BlobStore(js)
    reference = await store.put(b"content")
    assert await store.put(b"content") == reference == reference_of(b"content")
    assert reference.endswith(":7")
    assert await store.get(reference) == b"content"
    assert js.store.puts == 1


@pytest.mark.parametrize(
    "reference", ["", "sha256:xyz:1", "http://elsewhere/x", "sha256:" + "0" * 64]
)
async def test_what_is_no_reference_is_refused(reference):
    with pytest.raises(BlobError, match="not a payload reference"):
        await BlobStore(FakeJetStream()).get(reference)


async def test_missing_content_is_an_error():
    with pytest.raises(BlobError, match="not in bucket"):
        await BlobStore(FakeJetStream()).get(reference_of(b"content"))


async def test_other_content_than_promised_is_an_error():
    js = FakeJetStream()
    reference = await BlobStore(js).put(b"content")
    js.store.objects[reference.split(":")[1]] = b"forged!"
    with pytest.raises(BlobError, match="other content"):
        await BlobStore(js).get(reference)
