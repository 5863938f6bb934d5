"""The web app: which request gets which answer."""

import asyncio
import mimetypes
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import torch
from fastapi import FastAPI
from pydantic import Field, ValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.staticfiles import StaticFiles

from xworld.demo.about import describe, draw_tiles
from xworld.demo.agent_registry import AgentRegistry
from xworld.demo.agents import DemoAgent
from xworld.demo.errors import TOO_LARGE, AgentRequest, RequestError, explain_invalid
from xworld.demo.lesson_queue import LessonQueue
from xworld.demo.lessons import LessonRequest, read_lesson
from xworld.demo.limits import Limits, read_body
from xworld.demo.middleware import SameOriginMiddleware
from xworld.demo.new_map import NewMapRequest, make_map
from xworld.demo.scene import CELL_FORMAT, CellField, SceneFields
from xworld.demo.suggestions import suggest
from xworld.demo.understanding import understand

STATIC = Path(__file__).parent / "static"

Model = TypeVar("Model", bound=AgentRequest)
Endpoint = Callable[[Request], Awaitable[Response]]


class SuggestRequest(AgentRequest):
    """A map on which the teacher should say something."""

    scene: SceneFields = Field(description="an object with size, grid and at")


class UnderstandRequest(SuggestRequest):
    """A sentence on a map; `told_at` is the cell where the agent heard it, if that is not where it is now."""

    sentence: str | None = Field(default=None, max_length=400, description="a text of at most 400 characters")
    told_at: CellField | None = Field(default=None, description=CELL_FORMAT)


def make_app(agents: AgentRegistry, lesson_queue: LessonQueue, limits: Limits, any_host: bool = False) -> FastAPI:
    """The app with these agents; unless `any_host`, it only answers to the names of this machine's own address."""
    app = FastAPI(openapi_url=None, redirect_slashes=False)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=["*"] if any_host else ["localhost", "127.0.0.1", "[::1]"])
    app.add_middleware(SameOriginMiddleware)
    app.add_exception_handler(RequestError, _answer_refused)
    app.add_exception_handler(HTTPException, _answer_missing)
    app.add_exception_handler(Exception, _answer_failure)
    _add_files(app, agents)
    threads = ThreadPoolExecutor(limits.threads, "answers")
    endpoints = {
        "/scene": _endpoint(NewMapRequest, _answer_scene, agents, limits, threads),
        "/suggest": _endpoint(SuggestRequest, _answer_suggest, agents, limits, threads),
        "/understand": _endpoint(UnderstandRequest, _answer_understand, agents, limits, threads),
        "/teach": _teach_endpoint(agents, limits, lesson_queue, threads),
    }
    for path, endpoint in endpoints.items():
        app.add_api_route(path, endpoint, methods=["POST"], response_model=None)
    return app


def warm_up(agents: Iterable[DemoAgent]) -> None:
    """Do everything once with every agent, so that the first visitor does not wait for compilation.

    PyTorch gets one thread: requests already share the processor, and more threads would slow all of them down.
    """
    torch.set_num_threads(1)
    for agent in agents:
        word = agent.catalogue.classes[0]
        scene, _ = make_map(agent, NewMapRequest(seed=0, with_word=word))
        suggest(agent, scene)
        for sentence in (f"go to the {word} .", f"what color is the {word} ?"):
            understand(agent, scene, sentence)


def _answer_scene(request: NewMapRequest, agent: DemoAgent) -> dict[str, Any]:
    scene, answer = make_map(agent, request)
    return answer | {"suggestions": [item.to_json() for item in suggest(agent, scene)]}


def _answer_suggest(request: SuggestRequest, agent: DemoAgent) -> dict[str, Any]:
    scene = request.scene.to_scene(agent.catalogue)
    return {"suggestions": [item.to_json() for item in suggest(agent, scene)]}


def _answer_understand(request: UnderstandRequest, agent: DemoAgent) -> dict[str, Any]:
    scene = request.scene.to_scene(agent.catalogue)
    return understand(agent, scene, request.sentence or "", request.told_at)


def _endpoint(
    model: type[Model],
    answer: Callable[[Model, DemoAgent], dict[str, Any]],
    agents: AgentRegistry,
    limits: Limits,
    threads: ThreadPoolExecutor,
) -> Endpoint:
    """Parse a request, answer it and encode the answer, all in a thread."""

    def work(body: bytes) -> Response:
        request = _parse(model, body)
        return JSONResponse(answer(request, agents[request.agent]))

    async def endpoint(request: Request) -> Response:
        body = await read_body(request, limits.max_body)
        return await asyncio.get_running_loop().run_in_executor(threads, work, body)

    return endpoint


def _teach_endpoint(
    agents: AgentRegistry, limits: Limits, lesson_queue: LessonQueue, threads: ThreadPoolExecutor
) -> Endpoint:
    """Parse a request to teach, and stream the report."""

    async def endpoint(request: Request) -> Response:
        body = await read_body(request, limits.max_teach_body)
        wish = await asyncio.get_running_loop().run_in_executor(threads, _parse, LessonRequest, body)
        lesson = await lesson_queue.add(wish.visitor or "", lambda: read_lesson(wish, agents))
        return StreamingResponse(lesson_queue.report(lesson), media_type="application/x-ndjson")

    return endpoint


def _parse(model: type[Model], body: bytes) -> Model:
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        raise RequestError(explain_invalid(error, model)) from error


def _add_files(app: FastAPI, agents: AgentRegistry) -> None:
    about, tiles = describe(agents), draw_tiles(next(iter(agents)).catalogue)

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


async def _answer_refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestError)
    # The rest of a body that is too large is not read, so the connection cannot be used again.
    headers = {"Connection": "close"} if error.status == TOO_LARGE else {}
    return JSONResponse(dict(error.content), error.status, headers)


async def _answer_missing(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    sentences = {404: "There is nothing here.", 405: f"{request.method} does not work for {request.url.path[:100]}."}
    return JSONResponse({"error": sentences.get(error.status_code, error.detail)}, error.status_code, error.headers)


async def _answer_failure(_: Request, __: Exception) -> Response:
    return JSONResponse({"error": "The server failed, which is not your fault; its log says more."}, 500)
