"""The server: which request gets which answer."""

import mimetypes
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.staticfiles import StaticFiles

from xworld.demo.about import describe, draw_tiles
from xworld.demo.blackboard import Blackboard
from xworld.demo.fields import Fields, read_fields, text
from xworld.demo.guard import LOOPBACK, Guard
from xworld.demo.laying import lay, read_wish
from xworld.demo.limits import Crowd, Limits, read_body
from xworld.demo.minds import Mind
from xworld.demo.pupil import Lesson, read_lesson
from xworld.demo.refusal import TOO_LARGE, Refusal
from xworld.demo.scene import read_cell, read_scene, refuse_wall
from xworld.demo.suggesting import suggest
from xworld.demo.understanding import understand
from xworld.demo.visitors import Minds

STATIC = Path(__file__).parent / "static"

Answer = Callable[[Fields, Mind], dict[str, Any]]


def make_app(
    minds: Minds, blackboard: Blackboard, hosts: Collection[str] | None = LOOPBACK, limits: Limits | None = None
) -> FastAPI:
    """The app, with these agents, for requests that call it by one of these names (None: by any)."""
    crowd = Crowd(limits or Limits())

    @asynccontextmanager
    async def live(_: FastAPI) -> AsyncIterator[None]:
        yield
        crowd.close()

    app = FastAPI(openapi_url=None, redirect_slashes=False, lifespan=live)
    app.add_middleware(Guard, hosts=hosts)
    app.add_exception_handler(Refusal, _answer_refusal)
    app.add_exception_handler(HTTPException, _answer_missing)
    app.add_exception_handler(Exception, _answer_failure)
    _add_files(app, minds)
    for path, answer in (("/scene", answer_scene), ("/suggest", answer_suggest), ("/understand", answer_understand)):
        app.add_api_route(path, _serve(answer, minds, crowd), methods=["POST"], response_model=None)
    app.add_api_route("/teach", _serve_teaching(minds, crowd, blackboard), methods=["POST"], response_model=None)
    return app


def answer_scene(fields: Fields, mind: Mind) -> dict[str, Any]:
    """A new scene with a command."""
    wish = read_wish(fields, mind)
    laid = lay(mind, wish)
    suggestions = [suggestion.to_json() for suggestion in suggest(mind, laid.scene)]
    return {**laid.to_json(), "seed": wish.seed, "suggestions": suggestions}


def answer_suggest(fields: Fields, mind: Mind) -> dict[str, Any]:
    """What the teacher would say on a map."""
    scene = read_scene(fields.get("scene"), mind.catalogue.tiles)
    return {"suggestions": [suggestion.to_json() for suggestion in suggest(mind, scene)]}


def answer_understand(fields: Fields, mind: Mind) -> dict[str, Any]:
    """What the agent makes of a sentence on a map."""
    scene, sentence = read_scene(fields.get("scene"), mind.catalogue.tiles), text(fields, "sentence")
    told_at = None if fields.get("told_at") is None else read_cell(fields["told_at"], "told_at")
    if told_at is not None:
        refuse_wall(scene, told_at)
    return understand(mind, scene, sentence or "", told_at)


def _serve(answer: Answer, minds: Minds, crowd: Crowd) -> Callable[[Request], Awaitable[Response]]:
    """Read a request, answer it in a thread, and write the answer there too."""

    def work(body: bytes) -> Response:
        fields = read_fields(body)
        return JSONResponse(answer(fields, minds[text(fields, "agent")]))

    async def serve(request: Request) -> Response:
        with crowd.enter():
            body = await read_body(request, crowd.limits.body, crowd.limits.patience)
            return await crowd.work(work, body)

    return serve


def _serve_teaching(minds: Minds, crowd: Crowd, blackboard: Blackboard) -> Callable[[Request], Awaitable[Response]]:
    """Read a request to teach, and report on it as it goes on."""

    def work(body: bytes) -> Lesson:
        return read_lesson(read_fields(body), minds)

    async def serve(request: Request) -> Response:
        blackboard.check_room()
        with crowd.enter():
            body = await read_body(request, crowd.limits.teach_body, crowd.limits.patience)
            lesson = await blackboard.read(work, body)
        blackboard.check_share(lesson.visitor)
        return StreamingResponse(blackboard.report(lesson), media_type="application/x-ndjson")

    return serve


def _add_files(app: FastAPI, minds: Minds) -> None:
    about, tiles = describe(minds), draw_tiles(next(iter(minds)).catalogue)

    @app.api_route("/about", methods=["GET", "HEAD"], response_model=None)
    async def answer_about() -> Response:
        return JSONResponse(about)

    @app.api_route("/tiles.png", methods=["GET", "HEAD"], response_model=None)
    async def answer_tiles() -> Response:
        return Response(tiles, media_type="image/png", headers={"Cache-Control": "max-age=3600"})

    @app.api_route("/", methods=["GET", "HEAD"], response_model=None)
    async def answer_page() -> Response:
        return FileResponse(STATIC / "index.html")

    mimetypes.add_type("text/javascript", ".js")  # some systems call it plain text, which no browser would run
    app.mount("/static", StaticFiles(directory=STATIC))


async def _answer_refusal(_: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    # The rest of a body that is too large is not read: the connection is of no more use.
    headers = {"Connection": "close"} if error.status == TOO_LARGE else {}
    return JSONResponse(dict(error.content), error.status, headers)


async def _answer_missing(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    sentences = {404: "There is nothing here.", 405: f"{request.method} is not for {request.url.path[:100]}."}
    return JSONResponse({"error": sentences.get(error.status_code, error.detail)}, error.status_code, error.headers)


async def _answer_failure(_: Request, __: Exception) -> Response:
    return JSONResponse(
        {"error": "Something went wrong on the server, which is not your fault; its log says more."}, 500
    )
