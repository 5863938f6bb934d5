"""The paper's own numbers: Table 1 of Yu, Zhang and Xu (2017), success in %."""

from collections.abc import Mapping

from xworld.teacher.holdout import CONDITIONS

TITLES: Mapping[str, str] = {
    "planner": "Planner",
    "framework": "Framework",
    "simple_attention": "SimpleAttention",
    "no_trans_share": "NoTransShare",
    "vis_lstm": "VIS-LSTM",
    "multimodal": "Multimodal",
    "san": "SAN",
}
"""The names of the models; the paper calls its framework “ours”."""

TABLE_1A: Mapping[str, float] = {
    "framework": 89.2, "simple_attention": 80.0, "no_trans_share": 6.9,
    "vis_lstm": 22.4, "multimodal": 22.3, "san": 10.0,
}  # fmt: skip
"""All sessions, Standard."""

_ROWS = """
nav_obj       94.6/91.6  94.6/91.8  94.6/91.7  94.2/83.4
nav_col_obj   94.3/88.8  93.2/89.6  94.1/89.6  94.0/83.4
nav_nr_obj    93.1/74.5  92.7/74.2  93.0/77.2  93.0/70.8
nav_bw_obj    73.9/69.3  75.3/70.1  74.5/70.8  73.7/69.3
*nav_obj      N/A        93.8/90.6  94.5/88.3  94.7/4.1
*nav_col_obj  N/A        93.1/87.3  93.8/81.8  92.8/7.0
*nav_nr_obj   N/A        92.6/71.6  92.7/56.6  87.1/25.7
*nav_bw_obj   N/A        76.3/70.2  74.5/66.1  70.4/59.7
"""
"""As printed: framework/SimpleAttention, under Standard, NC, NWNav and NWNavRec."""

TABLE_1B: Mapping[str, Mapping[tuple[str, str], float]] = {
    model: {
        (name, condition): float(cell.split("/")[place])
        for name, *cells in map(str.split, _ROWS.strip().splitlines())
        for condition, cell in zip(CONDITIONS, cells, strict=True)
        if cell != "N/A"
    }
    for place, model in enumerate(("framework", "simple_attention"))
}
"""By model, and by type of command and condition; a star marks held-out commands.

>>> TABLE_1B["simple_attention"]["*nav_obj", "NWNavRec"]
4.1
"""

ROWS = tuple(row.split()[0] for row in _ROWS.strip().splitlines())
"""The rows of Table 1b, in order."""


def title_of(model: str) -> str:
    """The name of a model as the paper writes it; that of another model as it is.

    >>> title_of("san"), title_of("my_model")
    ('SAN', 'my_model')
    """
    return TITLES.get(model, model)
