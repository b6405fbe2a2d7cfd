import pytest

from ragsolver_runtime.blobs import BlobStore, reference_of
from ragsolver_runtime.errors import BlobError
from ragsolver_runtime.streams import BLOB_STREAM, StreamSettings, stream_table
from suites.fake_bus import FakeJetStream


async def test_content_comes_back_by_its_reference_and_is_stored_once():
    js = FakeJetStream()
    store = BlobStore(js)
    reference = await store.put(b"content")
    assert await store.put(b"content") == reference == reference_of(b"content")
    assert reference.endswith(":7")
    assert await store.get(reference) == b"content"
    assert len(js.blobs) == 2  # one chunk, and its name


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
    js.blobs[0].data = b"forged!"
    with pytest.raises(BlobError, match="other content"):
        await BlobStore(js).get(reference)


async def test_content_of_many_chunks_comes_back_in_order():
    js = FakeJetStream()
    content = bytes(range(256)) * 2_000
    reference = await BlobStore(js).put(content)
    await BlobStore(js).put(b"something else")
    assert len(js.blobs) > 5
    assert await BlobStore(js).get(reference) == content


async def test_nobody_may_empty_the_store_with_a_header():
    """Roll-up headers need a stream that allows them, and content needs none."""
    declared = {stream.name: stream for stream in stream_table(StreamSettings())}
    assert not declared[BLOB_STREAM].allow_rollup_hdrs


async def test_a_name_that_points_elsewhere_is_not_followed():
    js = FakeJetStream()
    reference = await BlobStore(js).put(b"content")
    js.blobs[-1].data = js.blobs[-1].data.replace(b'"nuid": "', b'"nuid": "*.')
    with pytest.raises(BlobError, match="other content"):
        await BlobStore(js).get(reference)
