"""Tests of the modules and of the notebook, on a sweep and a run with --record:
`python3 python/test_results.py SWEEP RUN`. No network, no packages.

With `--store` there are no tests: the notebook runs, and its file gets what the cells show."""

import ast
import json
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

import setaside_plots as plots
from setaside_results import ResultsError, Run, Sweep, Table, load

NOTEBOOK = HERE / "results.ipynb"
STORE = "--store" in sys.argv
if STORE:
    sys.argv.remove("--store")
SWEEP, RUN = (sys.argv.pop(1), sys.argv.pop(1)) if len(sys.argv) > 2 else ("curve", "tree")


class Results(unittest.TestCase):
    def test_sweep_has_a_row_a_run_and_numbers_are_numbers(self):
        sweep = load(SWEEP, frames="plain")
        self.assertIsInstance(sweep, Sweep)
        self.assertEqual(len(sweep.results), sweep.manifest["runs"])
        self.assertIsInstance(sweep.results["delivered_bytes_per_ns"][0], float)
        self.assertTrue(all(value is None for value in sweep.results["error"]))
        self.assertEqual(len(sweep.runs), sweep.manifest["finished"])

    def test_columns_are_those_of_the_file(self):
        text = (Path(RUN) / "flows.csv").read_text().splitlines()
        flows = load(RUN, frames="plain").flows
        self.assertEqual(flows.columns, text[0].split(","))
        self.assertEqual(len(flows), len(text) - 1)
        self.assertIsInstance(flows["starved"][0], bool)

    def test_values_agree_with_the_summary(self):
        sweep = load(SWEEP, frames="plain")
        for run, value in zip(sweep.runs, sweep.results["delivered_bytes_per_ns"]):
            self.assertEqual(run.summary["delivered_bytes_per_ns"], value)

    def test_files_of_all_runs_have_the_axes_before_them(self):
        sweep = load(SWEEP, frames="plain")
        series = sweep.all("series.csv")
        self.assertEqual(series.columns[: 1 + len(sweep.axes)], ["index", *sweep.axes])
        self.assertEqual(len(series), sum(len(run.series) for run in sweep.runs))
        self.assertEqual(set(series["index"]), set(range(len(sweep.runs))))

    def test_a_column_of_all_runs_has_one_type(self):
        labels, rows = ("1", "3/2"), ("n\n4\n", "n\nmany\n")
        with tempfile.TemporaryDirectory() as path:
            sweep, runs = Path(path), []
            for index, (label, text) in enumerate(zip(labels, rows)):
                run = {"index": index, "status": "ok", "directory": str(index)}
                runs.append({**run, "labels": {"speedup": label}})
                (sweep / "runs" / str(index)).mkdir(parents=True)
                (sweep / "runs" / str(index) / "flows.csv").write_text(text)
            (sweep / "manifest.json").write_text("{}")
            results = {"axes": ["speedup"], "runs": runs}
            (sweep / "results.json").write_text(json.dumps(results))
            flows = load(sweep, frames="plain").all("flows.csv")
        columns = [flows[name] for name in ("index", "speedup", "n")]
        self.assertEqual(columns, [[0, 1], ["1", "3/2"], ["4", "many"]])

    def test_recorded_run_has_trees(self):
        run = load(RUN, frames="plain")
        self.assertIsInstance(run, Run)
        self.assertEqual(len(run.trees), len(run.tree_branches["trees"]))
        self.assertGreater(len(run.cam) * len(run.ports), 0)
        self.assertIn("[network]", run.scenario)

    def test_recorded_run_has_latencies_and_the_topology(self):
        run = load(RUN, frames="plain")
        self.assertEqual(run.latency["flows"][0], "all")
        self.assertLessEqual(set(run.latency["of"]), {"message", "packet"})
        self.assertTrue(all(count > 0 for count in run.latency["count"]))
        ports = len(run.topology["switches"]) + len(run.topology["nodes"])
        self.assertLess(ports, 2 * len(run.topology["links"]))

    def test_tables_say_what_they_hold(self):
        told = repr(load(SWEEP, frames="plain").results)
        self.assertRegex(told, r"^<Table, rows: \d+, columns: \d+: index, .* \.\.\.>$")
        self.assertLess(len(told), 100)
        table = Table({"a<b": [1, None]})
        self.assertEqual(repr(table), "<Table, rows: 2, columns: 1: a<b>")
        self.assertIn("<th>a&lt;b</th>", table._repr_html_())
        self.assertIn("<td></td>", table._repr_html_())

    def test_what_is_not_there_is_told(self):
        with self.assertRaisesRegex(ResultsError, "pauses.csv is not there"):
            load(RUN).pauses
        with self.assertRaisesRegex(ResultsError, "no manifest.json"):
            load(HERE)
        with self.assertRaisesRegex(ValueError, "legal: auto"):
            load(RUN, frames="other")

    @unittest.skipUnless(find_spec("pandas"), "pandas is not here")
    def test_frames_of_pandas(self):
        self.frames_of("pandas")
        self.assertEqual(type(load(SWEEP).results).__module__.split(".")[0], "pandas")

    @unittest.skipUnless(find_spec("polars"), "polars is not here")
    def test_frames_of_polars(self):
        self.frames_of("polars")

    def frames_of(self, name):
        for frame in (load(SWEEP, frames=name).results, load(RUN, frames=name).trees):
            self.assertEqual(type(frame).__module__.split(".")[0], name)
        sweep = load(SWEEP, frames=name)
        self.assertEqual(len(sweep.results), sweep.manifest["runs"])
        self.assertEqual(len(sweep.all("series.csv")), sum(len(r.series) for r in sweep.runs))


class Plots(unittest.TestCase):
    def test_a_curve_is_a_path_with_its_name(self):
        picture = plots.lines({"a<b": [(0, 1), (1, 2)], "c": [(0, None), (1, 1)]})
        titles = [t.text for t in xml.fromstring(str(picture)).iter() if t.tag.endswith("title")]
        self.assertEqual(titles, ["a<b", "c"])
        self.assertEqual(repr(picture), "<Svg, 640 x 360>")
        with self.assertRaises(ValueError):
            plots.lines({"none": [(0, None)]})

    def test_tree_has_each_port_once(self):
        row = max(load(RUN).tree_branches["trees"], key=lambda row: row["saqs_peak"])
        root = xml.fromstring(str(plots.tree(row)))
        circles = [part for part in root.iter() if part.tag.endswith("circle")]
        ports = {row["root"], *(branch["port"] for branch in row["branches"])}
        self.assertEqual(len(circles), len(ports))
        self.assertGreater(len(ports), 2)


def outputs():
    """Runs the notebook: its code cells, and what each shows by its last line."""
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    names, shown = {}, []
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for count, cell in enumerate(cells, 1):
        *body, last = ast.parse("".join(cell["source"])).body
        exec(compile(ast.Module(body, []), "cell", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
        data = {"text/plain": [repr(value)]}
        for kind, text in (("text/html", "_repr_html_"), ("image/svg+xml", "_repr_svg_")):
            if hasattr(value, text):
                data[kind] = getattr(value, text)().splitlines(True)
        how = {"output_type": "execute_result", "execution_count": count, "metadata": {}}
        shown.append((cell, {**how, "data": data}))
    return notebook, shown


def store():
    notebook, shown = outputs()
    for cell, output in shown:
        cell["execution_count"], cell["outputs"] = output["execution_count"], [output]
    text = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
    NOTEBOOK.write_text(text, encoding="utf-8")


class Notebook(unittest.TestCase):
    def test_every_cell_runs_and_shows_what_is_stored(self):
        pictures = 0
        for cell, output in outputs()[1]:
            (stored,) = cell["outputs"]
            self.assertEqual(stored["data"].keys(), output["data"].keys())
            picture = output["data"].get("image/svg+xml")
            if picture is None:  # tables may get columns
                self.assertIn("<td>", "".join(stored["data"]["text/html"]))
                continue
            xml.fromstring("".join(picture))
            self.assertEqual(stored["data"]["image/svg+xml"], picture, "another one: --store")
            pictures += 1
        self.assertEqual(pictures, 3)


if __name__ == "__main__":
    store() if STORE else unittest.main()
