import pytest

from ragsolver_contracts.llm import Usage
from ragsolver_contracts.run_config import LlmConfig
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.llm.prices import Cost, load_prices

USAGE = Usage(
    input_tokens=1_000_000,
    output_tokens=100_000,
    cache_read_tokens=2_000_000,
    cache_write_tokens=10_000,
)
TABLE = """
[models."m.1"]
input = 3.0
output = 15.0
cache_read = 0.3
cache_write = 3.75
"""


def test_every_kind_of_token_has_its_price(tmp_path):
    file = tmp_path / "prices.toml"
    file.write_text(TABLE)
    cost = load_prices(str(file)).cost("m.1", USAGE)
    assert cost.known
    assert cost.usd == pytest.approx(3.0 + 1.5 + 0.6 + 0.0375)


def test_a_model_that_is_not_listed_has_no_known_cost():
    assert load_prices().cost("a model of my own", USAGE) == Cost(0.0, known=False)


def test_the_default_model_has_a_price_and_every_price_makes_sense():
    prices = load_prices()
    assert prices.knows(LlmConfig().model)
    for name, price in prices.models.items():
        assert 0 < price.cache_read < price.input < price.cache_write < price.output, name


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[models."m"]\ninput = 1\n', "output"),
        (TABLE + "per_image = 3\n", "per_image"),
        ("[models]\nm = 3\n", "models.m"),
        ("[prices]\n", "prices"),
        ("input = 1", "input"),
        ("nonsense", "TOML"),
    ],
)
def test_a_wrong_file_is_named_with_what_is_wrong(tmp_path, text, said):
    file = tmp_path / "prices.toml"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_prices(str(file))
    assert "prices.toml" in str(caught.value)
    assert said in str(caught.value)
