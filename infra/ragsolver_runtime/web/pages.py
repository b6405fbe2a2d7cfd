"""The application: the page's files, the questions, and the guard around both."""

from collections.abc import Iterable, Mapping

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from ragsolver_runtime.web.api import Api, answered
from ragsolver_runtime.web.assets import Asset
from ragsolver_runtime.web.guard import Guard

HOME = "index.html"


def application(api: Api, assets: Mapping[str, Asset], names: Iterable[str] = ()) -> ASGIApp:
    """The whole of it.

    Args:
        api: the answers.
        assets: files of the page.
        names: host names by which it may be called, beside `localhost` and addresses.
    """
    answers = {
        "state": api.state,
        "runs": api.runs,
        "run": api.run,
        "problems": api.problems,
        "problem": api.problem,
        "candidate": api.candidate,
        "call": api.call,
        "events": api.events,
        "event": api.event,
        "lag": api.lag,
        "stream": api.stream,
        "reports": api.report_list,
        "report": api.report,
        "picture": api.picture,
    }
    routes: list[BaseRoute] = [
        Route(f"/api/{name}", answered(answer)) for name, answer in answers.items()
    ]
    page = _Files(assets)
    routes.append(Route("/{path:path}", page.file))
    return Guard(Starlette(routes=routes), names)


class _Files:
    """Answers with a file of the page; `/` is the page itself."""

    def __init__(self, assets: Mapping[str, Asset]) -> None:
        self._assets = assets

    async def file(self, request: Request) -> Response:
        """The file, or that it did not change, or that there is none."""
        asset = self._assets.get(request.path_params["path"] or HOME)
        if asset is None:
            return JSONResponse({"error": "no such page"}, status_code=404)
        headers = {"etag": asset.tag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == asset.tag:
            return Response(status_code=304, headers=headers)
        return Response(asset.body, media_type=asset.media_type, headers=headers)
