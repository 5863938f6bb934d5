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
from xworld.demo.agent_registry import AgentRegistry
from xworld.demo.agents import DemoAgent
from xworld.demo.errors import TOO_LARGE, RequestError
from xworld.demo.fields import Fields, read_fields, text
from xworld.demo.guard import LOOPBACK, Guard
from xworld.demo.lesson_queue import LessonQueue
from xworld.demo.lesson_request import Lesson, read_lesson
from xworld.demo.limits import Limits, LoadLimiter, read_body
from xworld.demo.new_map import lay, read_wish
from xworld.demo.scene import read_cell, read_scene, refuse_wall
from xworld.demo.suggesting import suggest
from xworld.demo.understanding import understand

STATIC = Path(__file__).parent / "static"

Answer = Callable[[Fields, DemoAgent], dict[str, Any]]


def make_app(
    minds: AgentRegistry,
    lesson_queue: LessonQueue,
    hosts: Collection[str] | None = LOOPBACK,
    limits: Limits | None = None,
) -> FastAPI:
    """The app, with these agents, for requests that call it by one of these names (None: by any)."""
    limiter = LoadLimiter(limits or Limits())

    @asynccontextmanager
    async def live(_: FastAPI) -> AsyncIterator[None]:
        yield
        limiter.close()

    app = FastAPI(openapi_url=None, redirect_slashes=False, lifespan=live)
    app.add_middleware(Guard, hosts=hosts)
    app.add_exception_handler(RequestError, _answer_refusal)
    app.add_exception_handler(HTTPException, _answer_missing)
    app.add_exception_handler(Exception, _answer_failure)
    _add_files(app, minds)
    for path, answer in (("/scene", answer_scene), ("/suggest", answer_suggest), ("/understand", answer_understand)):
        app.add_api_route(path, _serve(answer, minds, limiter), methods=["POST"], response_model=None)
    app.add_api_route("/teach", _serve_teaching(minds, limiter, lesson_queue), methods=["POST"], response_model=None)
    return app


def answer_scene(fields: Fields, mind: DemoAgent) -> dict[str, Any]:
    """A new scene with a command."""
    wish = read_wish(fields, mind)
    laid = lay(mind, wish)
    suggestions = [suggestion.to_json() for suggestion in suggest(mind, laid.scene)]
    return {**laid.to_json(), "seed": wish.seed, "suggestions": suggestions}


def answer_suggest(fields: Fields, mind: DemoAgent) -> dict[str, Any]:
    """What the teacher would say on a map."""
    scene = read_scene(fields.get("scene"), mind.catalogue.tiles)
    return {"suggestions": [suggestion.to_json() for suggestion in suggest(mind, scene)]}


def answer_understand(fields: Fields, mind: DemoAgent) -> dict[str, Any]:
    """What the agent makes of a sentence on a map."""
    scene, sentence = read_scene(fields.get("scene"), mind.catalogue.tiles), text(fields, "sentence")
    told_at = None if fields.get("told_at") is None else read_cell(fields["told_at"], "told_at")
    if told_at is not None:
        refuse_wall(scene, told_at)
    return understand(mind, scene, sentence or "", told_at)


def _serve(answer: Answer, minds: AgentRegistry, limiter: LoadLimiter) -> Callable[[Request], Awaitable[Response]]:
    """Read a request, answer it in a thread, and write the answer there too."""

    def work(body: bytes) -> Response:
        fields = read_fields(body)
        return JSONResponse(answer(fields, minds[text(fields, "agent")]))

    async def serve(request: Request) -> Response:
        with limiter.enter():
            body = await read_body(request, limiter.limits.body, limiter.limits.patience)
            return await limiter.work(work, body)

    return serve


def _serve_teaching(
    minds: AgentRegistry, limiter: LoadLimiter, lesson_queue: LessonQueue
) -> Callable[[Request], Awaitable[Response]]:
    """Read a request to teach, and report on it as it goes on."""

    def work(body: bytes) -> Lesson:
        return read_lesson(read_fields(body), minds)

    async def serve(request: Request) -> Response:
        lesson_queue.check_room()
        with limiter.enter():
            body = await read_body(request, limiter.limits.teach_body, limiter.limits.patience)
            lesson = await lesson_queue.read(work, body)
        lesson_queue.check_share(lesson.visitor)
        return StreamingResponse(lesson_queue.report(lesson), media_type="application/x-ndjson")

    return serve


def _add_files(app: FastAPI, minds: AgentRegistry) -> None:
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
    assert isinstance(error, RequestError)
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
