//! Unpublished: pause and DCQCN beside RECN on case 4 of garcia-trees-2005, with heat maps.

mod heat;
mod sampled;
mod tree;

use super::runs::Runner;
use super::template::{Page, filled, head};
use crate::page;
use heat::Panel;
use observe::PauseRow;
use sampled::Sampled;
use setaside::Failure;

/// Runs with a panel of the picture, and what heads it.
const PANELS: [(&str, &str); 4] = [
    ("`pfc`", "pfc"),
    ("`pfc` + DCQCN", "pfc + dcqcn"),
    ("`pfc` + DCQCN, marks early, times a tenth", "pfc + dcqcn, early, times / 10"),
    ("`recn`, 8 SAQs", "recn"),
];

/// What is on its page.
pub(super) fn section(runs: &Runner) -> Result<String, Failure> {
    let mut sampled = Vec::new();
    for run in runs.wanted("case-4", &[])? {
        sampled.push(sampled::of(&run)?);
        eprintln!("{}: done", run.labels[0].1);
    }
    let of = |name: &str| sampled.iter().find(|sampled| sampled.run.label("name") == name);
    let panels = PANELS
        .iter()
        .filter_map(|(name, title)| Some(Panel { title, shares: &of(name)?.held_back }));
    let picture = heat::svg(
        "Case 4: share of 800 to 1100 us for which a link was held back",
        &panels.collect::<Vec<_>>(),
    );
    page::write("docs/img/pfc-case-4.svg", &picture)?;
    let rows = of("`pfc`").map_or(&[][..], |sampled| &sampled.pauses);
    let tree = tree::svg("Case 4, pfc: which pause came from which, 800 to 1100 us", rows);
    page::write("docs/img/pfc-case-4-tree.svg", &tree)?;
    let mut page = Page::read(runs.work)?;
    page.put("thresholds", &thresholds(&sampled));
    page.rows("victims", sampled.iter().map(|sampled| &sampled.run));
    page.rows("links", sampled.iter().map(|sampled| &sampled.run));
    page.put("pauses", &pauses(&sampled));
    page.put("least", &format!("{:.0}", 100.0 * tree::LEAST_SHARE));
    page.finish()
}

/// Where memories pause, of the first run of each set of thresholds.
fn thresholds(sampled: &[Sampled]) -> String {
    const LINE: &str = ": PAUSE at {pause.xoff_bytes} bytes of a port, RESUME at \
        {pause.xon_bytes}, headroom {pause.headroom_bytes}.";
    let mut lines: Vec<(&str, String)> = Vec::new();
    for run in sampled.iter().map(|sampled| &sampled.run).filter(|run| run.summary.pause.is_some())
    {
        let line = filled(LINE, &[run]);
        if !lines.iter().any(|(_, known)| *known == line) {
            lines.push((run.label("name"), line));
        }
    }
    let lines = lines.into_iter().map(|(name, line)| format!("- {name}{line}"));
    lines.collect::<Vec<_>>().join("\n")
}

fn pauses(sampled: &[Sampled]) -> String {
    let all = sampled.iter().flat_map(|sampled| &sampled.pauses);
    let deepest = all.filter_map(|row| row.depth).max().unwrap_or(0);
    let away: Vec<String> = (1..=deepest).map(|depth| format!("{depth} away")).collect();
    let heads = ["scheme", "words", "that spread"].into_iter();
    let heads = heads.chain(away.iter().map(String::as_str)).chain(["random nodes paused"]);
    let mut text = head(heads);
    for Sampled { run, pauses: rows, .. } in sampled.iter().filter(|l| !l.pauses.is_empty()) {
        let words = |row: &PauseRow| row.pauses_said - row.pauses_repeated;
        let all: u64 = rows.iter().map(words).sum();
        let spread: u64 = rows.iter().map(|row| row.pauses_spread).sum();
        let cells = (1..=deepest).map(|depth| {
            let there = rows.iter().filter(|row| row.depth == Some(depth));
            let (links, sum) = there.fold((0, 0), |(n, sum), row| (n + 1, sum + words(row)));
            format!("{links}, {sum}")
        });
        let row = format!(
            "| {{name}} | {all} | {spread} ({:.0} %) | {} | {{random_paused*100:1}} % |\n",
            100.0 * spread as f64 / all.max(1) as f64,
            cells.collect::<Vec<_>>().join(" | "),
        );
        text += &filled(&row, &[run]);
    }
    text
}
