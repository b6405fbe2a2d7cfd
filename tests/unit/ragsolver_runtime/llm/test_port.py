import pytest
from pydantic import BaseModel

from ragsolver_contracts.case import Case
from ragsolver_contracts.events_statement import StatementChecked
from ragsolver_contracts.lean import StatementView
from ragsolver_contracts.testing import event
from ragsolver_runtime.llm.port import NoModel, NoModelError, Prompt, Question


class Said(BaseModel):
    word: str


async def test_a_process_without_a_model_says_what_was_to_be_asked() -> None:
    view = StatementView(type="True", target="True")
    trigger = event(StatementChecked(statable=True, view=view))
    case = Case.fold("r1", "add_zero_nat", [trigger])
    question = Question("generator", "sketch", Prompt("g", "0", (), ()), Said)
    with pytest.raises(NoModelError, match="generator is to ask claude"):
        await NoModel().ask(case, trigger, question)
    with pytest.raises(NoModelError, match=r"no calls for p\.a1\.h1"):
        await NoModel().grant(case, trigger, "p.a1.h1", 2)
    with pytest.raises(NoModelError, match="no account"):
        await NoModel().settle(case, trigger)
