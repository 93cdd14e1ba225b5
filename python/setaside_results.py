"""Results of setaside as data frames.

    from setaside_results import load
    sweep = load("runs/NAME-HASH8")
    sweep.results

`load` takes the directory of a run or of a sweep. Tables are frames of pandas where it is
installed, else of polars, else a `Table` of this module; `load(..., frames="polars")` chooses.
Nothing else is needed but Python 3.8 or later. Columns and fields: docs/guide/results.md.
"""

import csv
import importlib
import json
import textwrap
from functools import cached_property
from html import escape
from pathlib import Path

FRAMES = ("auto", "pandas", "polars", "plain")


class ResultsError(Exception):
    """A directory or a file that is not what was asked for."""


class Table:
    """Columns by name, each a list: the frame of a Python without pandas and polars."""

    def __init__(self, columns):
        self.columns = list(columns)
        self._columns = dict(columns)

    def __getitem__(self, name):
        return self._columns[name]

    def __len__(self):
        return len(self._columns[self.columns[0]]) if self.columns else 0

    def rows(self):
        """Each row as a dict."""
        for at in range(len(self)):
            yield {name: self._columns[name][at] for name in self.columns}

    def __repr__(self):
        names = textwrap.shorten(", ".join(self.columns), 60, placeholder=" ...")
        return f"<Table, rows: {len(self)}, columns: {len(self.columns)}: {names}>"

    def _repr_html_(self):
        text = lambda value: "" if value is None else escape(str(value))
        cells = lambda tag, values: "".join(f"<{tag}>{text(value)}</{tag}>" for value in values)
        head = cells("th", self.columns)
        rows = (cells("td", row.values()) for row in self.rows())
        return "<table>\n" + "".join(f"<tr>{row}</tr>\n" for row in (head, *rows)) + "</table>"


def _value(text):
    """A CSV field: None of an empty one, else a flag, an integer, a number or text."""
    if text == "":
        return None
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def _column(texts):
    """All values of a column in one type: text where any is text."""
    values = [_value(text) for text in texts]
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int, float} and float in kinds:
        return [None if value is None else float(value) for value in values]
    if len(kinds) > 1:
        return [None if text == "" else text for text in texts]
    return values


def _read_texts(path):
    """Columns of a CSV file by name, as they stand there."""
    with open(path, newline="", encoding="utf-8") as file:
        header, *rows = list(csv.reader(file)) or [[]]
    return {name: [row[at] for row in rows] for at, name in enumerate(header)}


def _columns(texts):
    return {name: _column(column) for name, column in texts.items()}


def _frame(columns, frames):
    names = ("pandas", "polars") if frames == "auto" else (frames,)
    for name in names:
        if name == "plain":
            break
        try:
            return importlib.import_module(name).DataFrame(columns)
        except ImportError:
            if frames != "auto":
                raise
    return Table(columns)


class _Directory:
    def __init__(self, path, frames):
        self.path, self.frames = Path(path), frames

    def _file(self, name):
        path = self.path / name
        if not path.exists():
            there = ", ".join(sorted(entry.name for entry in self.path.iterdir()))
            raise ResultsError(f"{path} is not there; {self.path} holds {there}")
        return path

    def _json(self, name):
        return json.loads(self._file(name).read_text(encoding="utf-8"))

    def _table(self, name):
        return _frame(_columns(_read_texts(self._file(name))), self.frames)

    @cached_property
    def manifest(self):
        """`manifest.json`: version, seed, hash, how long it took."""
        return self._json("manifest.json")

    @cached_property
    def windows(self):
        """`windows.csv`: what each set of flows did in each window."""
        return self._table("windows.csv")


class Run(_Directory):
    """The directory of a run."""

    @cached_property
    def summary(self):
        """`summary.json`, a dict."""
        return self._json("summary.json")

    @cached_property
    def series(self):
        """`series.csv`: throughput and SAQs over time."""
        return self._table("series.csv")

    @cached_property
    def flows(self):
        """`flows.csv`: a row a flow."""
        return self._table("flows.csv")

    @cached_property
    def pauses(self):
        """`pauses.csv`, of the scheme pfc."""
        return self._table("pauses.csv")

    @cached_property
    def trees(self):
        """`trees.csv`, with `--record`: a row a congestion tree."""
        return self._table("trees.csv")

    @cached_property
    def tree_branches(self):
        """`trees.json`, with `--record`, a dict: branches, SAQs over time, moves."""
        return self._json("trees.json")

    @cached_property
    def cam(self):
        """`cam.csv`, with `--record`: CAM lines over time."""
        return self._table("cam.csv")

    @cached_property
    def ports(self):
        """`ports.csv`, with `--record`: ports over time."""
        return self._table("ports.csv")

    @cached_property
    def latency(self):
        """`latency.csv`: histograms of latencies, a row a bucket."""
        return self._table("latency.csv")

    @cached_property
    def topology(self):
        """`topology.json`, with `--record`, a dict: switches, nodes, links and where they are."""
        return self._json("topology.json")

    @cached_property
    def scenario(self):
        """`scenario.toml`: every key with its value, as text."""
        return self._file("scenario.toml").read_text(encoding="utf-8")


class Sweep(_Directory):
    """The directory of a sweep."""

    @cached_property
    def results(self):
        """`results.csv`: a row a run."""
        return self._table("results.csv")

    @cached_property
    def summary(self):
        """`results.json`, a dict: points over their replicas, the answer."""
        return self._json("results.json")

    @cached_property
    def axes(self):
        """Names of the axes."""
        return self.summary["axes"]

    @cached_property
    def runs(self):
        """The runs that finished, in order."""
        done = (run for run in self.summary["runs"] if run["status"] == "ok")
        return [load(self.path / "runs" / run["directory"], self.frames) for run in done]

    def all(self, name):
        """A CSV file of every run as one frame, index and axes before each row:
        `sweep.all("series.csv")`."""
        done = [run for run in self.summary["runs"] if run["status"] == "ok"]
        tables = [_read_texts(self.path / "runs" / run["directory"] / name) for run in done]
        names = list(dict.fromkeys(name for table in tables for name in table))
        columns = {name: [] for name in ("index", *self.axes, *names)}
        for run, table in zip(done, tables):
            length = len(next(iter(table.values()), []))
            columns["index"] += [str(run["index"])] * length
            for axis in self.axes:
                columns[axis] += [str(run["labels"].get(axis, ""))] * length
            for name in names:
                columns[name] += table.get(name, [""] * length)
        return _frame(_columns(columns), self.frames)


def load(path, frames="auto"):
    """The run or sweep in a directory. `frames`: auto, pandas, polars or plain."""
    if frames not in FRAMES:
        raise ValueError(f"frames: {frames!r}; legal: {', '.join(FRAMES)}")
    path = Path(path)
    if not (path / "manifest.json").exists():
        raise ResultsError(f"{path} has no manifest.json: it holds no whole run or sweep")
    return (Sweep if (path / "results.json").exists() else Run)(path, frames)
