"""A port that answers from a list and keeps what it was asked."""

from ragsolver_contracts.llm import LlmOutcome
from ragsolver_runtime.llm.port import Answer, NoAnswer


class ScriptedPort:
    """Answers in order: a dictionary is an answer, an outcome or none is no answer."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    async def ask(self, case, trigger, question):
        self.asked.append(question)
        said = self.answers.pop(0)
        if said is None or isinstance(said, LlmOutcome):
            return NoAnswer(said, "nothing came")
        return Answer(question.answer.model_validate(said), len(self.asked))

    async def grant(self, case, trigger, child_id, calls):
        raise AssertionError("no maker grants calls")

    async def settle(self, case, trigger):
        raise AssertionError("no maker settles accounts")


def text_of(question):
    """The whole prompt as text."""
    return "\n".join(b.text for b in (*question.prompt.system, *question.prompt.user))
