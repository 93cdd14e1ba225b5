//! The time series: rates of links and flows in a sliding window, without control and with each
//! marking.

use super::{
    FLOWS, INTER_SWITCH, LOCAL, REMOTE, ROOT, VICTIM, WORK, an_event, group, link,
    remote_over_local, spread,
};
use crate::page;
use crate::reproduce::chart::{Axis, Line, Panel, Style, svg};
use crate::reproduce::runs::{self, Done, Wanted, cell, run_all, scenario};
use setaside::Failure;
use std::fmt::Write as _;

/// Name, scenario, sets over it.
type Run = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const RUNS: [Run; 5] = [
    ("no control", "none.toml", &[]),
    ("naive", "naive.toml", &[]),
    ("input-triggered", "input-triggered.toml", &[]),
    (
        "input-output-triggered, threshold 4",
        "input-output-triggered.toml",
        &[("ecn.output_threshold_packets", "4")],
    ),
    ("input-output-triggered, threshold 8", "input-output-triggered.toml", &[]),
];

/// Figures, by the places of their runs.
const FIGURES: [(&str, &str, &[usize]); 3] = [
    ("santos-ecn-2002-none-naive", "No congestion control; naive marking", &[0, 1]),
    ("santos-ecn-2002-input", "Input-triggered marking", &[2]),
    ("santos-ecn-2002-input-output", "Input-output-triggered marking, thresholds 4 and 8", &[3, 4]),
];

/// Bins of the series, bins of the sliding window, bins from one point to the next.
const BIN_NS: &str = "100000";
const WINDOW: usize = 20;
const STEP: usize = 5;

pub(super) fn write(text: &mut String, resume: bool) -> Result<(), Failure> {
    let wanted = RUNS.iter().map(|(name, file, sets)| {
        let bins = [("run.series_bin_ns", BIN_NS)];
        let sets: Vec<_> = sets.iter().copied().chain(bins).collect();
        Ok(Wanted {
            labels: vec![("run".to_string(), (*name).to_string())],
            scenario: scenario(WORK, file, &sets)?,
            sources: 2 * FLOWS + 1,
        })
    });
    let wanted = wanted.collect::<Result<Vec<_>, Failure>>()?;
    let done = run_all((WORK, "series"), &wanted, resume)?;
    text.push_str(
        "## Over time\n\nMeans of a sliding window of 2 ms centred on its time. Flow k starts at k x 100 us, the victim sends from 40 to 60 ms.\n\n",
    );
    for (file, title, runs) in FIGURES {
        let panels: Vec<Panel> = runs.iter().map(|&at| panel(&done[at])).collect();
        let key = [
            ("root link", ROOT),
            ("inter-switch link", INTER_SWITCH),
            ("local flows", LOCAL),
            ("remote flows", REMOTE),
            ("victim", VICTIM),
        ];
        let key = key.map(|(name, style)| (name.to_string(), style));
        page::write(&format!("docs/img/{file}.svg"), &svg(title, &panels, &key))?;
        let _ = writeln!(text, "![{title}](../img/{file}.svg)\n");
    }
    tables(text, &done);
    Ok(())
}

/// Means of the window around every [`STEP`]th bin, of some groups together.
fn sliding(run: &Done, groups: &[&str]) -> Vec<(f64, f64)> {
    let at: Vec<usize> =
        (0..run.groups.len()).filter(|&at| groups.contains(&run.groups[at].as_str())).collect();
    let rates: Vec<f64> =
        run.series.iter().map(|row| at.iter().map(|&at| row.groups[at]).sum()).collect();
    let windows = rates.windows(WINDOW).enumerate().step_by(STEP);
    windows
        .map(|(first, rates)| {
            let centre = run.series[first + WINDOW / 2].t_ns / 1e6;
            (centre, rates.iter().sum::<f64>() / WINDOW as f64)
        })
        .collect()
}

fn panel(run: &Done) -> Panel {
    let lines: [(Style, &[&str]); 5] = [
        (ROOT, &["local", "remote"]),
        (INTER_SWITCH, &["remote", "victim"]),
        (LOCAL, &["local"]),
        (REMOTE, &["remote"]),
        (VICTIM, &["victim"]),
    ];
    let lines = lines.map(|(style, groups)| Line::new(style, sliding(run, groups)));
    Panel {
        x: Axis::new("time, ms", 100.0, 20.0),
        y: Axis::new("rate, of link rate", 1.0, 0.2),
        lines: lines.into(),
        levels: Vec::new(),
    }
}

fn tables(text: &mut String, done: &[Done]) {
    text.push_str(
        "Means of 20 to 40 ms without the victim, and of 40 to 60 ms with it. *Closed form*: every packet of the four in the memory behind the inter-switch \
         link and of the ten local ones takes its turn, so remote flows get 4/14 of the root link, the victim 1/7 of that, and the inter-switch link carries 16/49.\n\n\
         | run | root | inter-switch | local | remote | remote/local | with victim: root | inter-switch | local | remote | victim |\n|---|---|---|---|---|---|---|---|---|---|---|\n\
         | no control, published | | | | | | | 0.325 | | | 0.04 |\n\
         | no control, closed form | 1 | 0.286 | 0.714 | 0.286 | 0.4 | 1 | 0.327 | 0.714 | 0.286 | 0.041 |\n\
         | naive, published | | | | | | | | 0.9 | | high |\n",
    );
    let (alone, victim) = (Some("alone"), Some("with-victim"));
    for run in done {
        let rates = |window| {
            [
                link(run, window, "root"),
                link(run, window, "inter-switch"),
                group(run, window, "local"),
                group(run, window, "remote"),
            ]
        };
        let cells = rates(alone)
            .into_iter()
            .chain([remote_over_local(run, alone)])
            .chain(rates(victim))
            .chain([group(run, victim, "victim")]);
        let cells: Vec<String> = cells.map(|value| cell(value, 3)).collect();
        let _ = writeln!(text, "| {} | {} |", run.label("run"), cells.join(" | "));
    }
    text.push_str(
        "\nFlows of one kind from 20 ms on, in fair shares of 1/20. *Events*: how often a packet made a memory full. For each of them: remote packets marked (all marks by all events), and \
         data packets in that memory that wait, those that the event is about (4 slots). *At rest*: events that found no marks owed by an earlier one for an output wanted there.\n\n\
         | run | local: least | most | remote: least | most | Jain | events | remote packets marked an event | waiting in the memory at an event | events at rest |\n|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for run in done {
        let fair = 1.0 / f64::from(2 * FLOWS);
        let local = spread(run, FLOWS + 1..2 * FLOWS + 1, fair);
        let remote = spread(run, 0..FLOWS, fair);
        let each = an_event(run);
        let ecn = run.summary.ecn.as_ref();
        let _ = writeln!(
            text,
            "| {} | {:.2} | {:.2} | {:.2} | {:.2} | {} | {} | {} | {} | {} |",
            run.label("run"),
            local.0,
            local.1,
            remote.0,
            remote.1,
            cell(jain(run), 3),
            ecn.map_or(0, |ecn| ecn.events),
            cell(each.map(|[marked, _]| marked), 2),
            cell(each.map(|[_, waiting]| waiting), 2),
            ecn.map_or(0, |ecn| ecn.events_at_rest),
        );
    }
    text.push('\n');
}

/// Of the flows over the root link.
fn jain(run: &Done) -> Option<f64> {
    let rate = |source| run.by_source.get(&source).copied().unwrap_or(0.0);
    let sources: Vec<u32> = (0..2 * FLOWS + 1).filter(|&s| s != FLOWS).collect();
    runs::jain(sources.into_iter().map(rate))
}
