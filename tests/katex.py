"""The real KaTeX, run in a JavaScript engine: says whether a page could show a piece of LaTeX."""

import json
from importlib.metadata import files

from py_mini_racer import JSEvalException, MiniRacer

_OPTIONS = {"displayMode": True, "strict": "error", "throwOnError": True}


class Katex:
    """Sets LaTeX in KaTeX's strict mode: a command it doesn't know, or LaTeX would refuse, is an error."""

    def __init__(self) -> None:
        self._engine = MiniRacer()
        self._engine.eval(_library())

    def __call__(self, source: str) -> str:
        """Return the HTML and MathML of a formula.

        Raises:
            AssertionError: KaTeX refuses it; the message is KaTeX's.
        """
        try:
            return str(self._engine.eval(f"katex.renderToString({json.dumps(source)}, {json.dumps(_OPTIONS)})"))
        except JSEvalException as error:
            reason = next(line for line in str(error).splitlines() if "Error" in line)
            raise AssertionError(f"{source}\n{reason}") from None

    def close(self) -> None:
        """End the engine: left to the end of the interpreter it can hang there."""
        self._engine.close()


def _library() -> str:
    """Return the source of the KaTeX that sphinxcontrib-katex ships."""
    shipped = files("sphinxcontrib-katex") or []
    (path,) = (one.locate() for one in shipped if one.name == "katex.min.js")
    with open(path, encoding="utf-8") as file:
        return file.read()
