"""The base of every value that crosses a process border."""

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """Frozen value object; an unknown field is an error, never ignored."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", populate_by_name=True, ser_json_inf_nan="null"
    )
