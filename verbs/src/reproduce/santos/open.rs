//! What the paper leaves open: a sweep and a table each.

use super::{WORK, group, link, remote_over_local};
use crate::reproduce::runs::{cell, of_study, run_all};
use setaside::Failure;
use std::fmt::Write as _;

/// Name of the study without `ecn-`, heading, axes with their names. What moves, in a sentence, is
/// in the notes by hand.
struct Open {
    study: &'static str,
    title: &'static str,
    axes: &'static [(&'static str, &'static str)],
}

const MARKING: (&str, &str) = ("ecn.marking", "marking");

const ALL: [Open; 7] = [
    Open {
        study: "rate-ratio",
        title: "Rmax/Rmin",
        axes: &[MARKING, ("ecn.response", "response"), ("ecn.rate_ratio", "Rmax/Rmin")],
    },
    Open {
        study: "initial-rate",
        title: "The initial rate",
        axes: &[MARKING, ("ecn.initial_rate", "initial rate")],
    },
    Open {
        study: "cut-through",
        title: "Whether packets that cut through occupy a slot",
        axes: &[MARKING, ("ecn.cut_through_occupies_slot", "they do")],
    },
    Open {
        study: "arbiter",
        title: "Oldest first or round robin, both without multicast read",
        axes: &[MARKING, ("switch.arbiter", "arbiter")],
    },
    Open {
        study: "multicast-read",
        title: "Multicast read",
        axes: &[MARKING, ("switch.input_multicast_read", "multicast read")],
    },
    Open {
        study: "waits-until",
        title: "When cnt1 falls",
        axes: &[MARKING, ("ecn.waits_until", "at its")],
    },
    Open {
        study: "calm",
        title: "No marks for a link that was blocked within the last t",
        axes: &[MARKING, ("ecn.window", "window"), ("ecn.calm_ns", "t, ns")],
    },
];

pub(super) fn write(text: &mut String, resume: bool) -> Result<(), Failure> {
    text.push_str(
        "## What the paper leaves open\n\nOne study each, one key at a time over the shipped \
         scenario (the arbiters without multicast read): 500 ms, without the victim from 100 to \
         300 ms, with it from 300 to 500 ms. What moves and what does not: see *What it says*.\n\n",
    );
    for open in ALL {
        open.write(text, resume)?;
    }
    Ok(())
}

impl Open {
    fn write(&self, text: &mut String, resume: bool) -> Result<(), Failure> {
        let file = format!("ecn-{}.toml", self.study);
        let done = run_all((WORK, self.study), &of_study(&file, |_| 1)?, resume)?;
        let heads: Vec<&str> = self.axes.iter().map(|(_, name)| *name).collect();
        let _ = writeln!(
            text,
            "**{}**, `scenarios/studies/{file}`.\n\n\
             | {} | root | local | remote | remote/local | with victim: root | inter-switch | remote/local | victim |\n|{}---|---|---|---|---|---|---|---|",
            self.title,
            heads.join(" | "),
            "---|".repeat(heads.len())
        );
        let (alone, victim) = (Some("alone"), Some("with-victim"));
        for run in &done {
            let of_axes = self.axes.iter().map(|(axis, _)| run.label(axis).to_string());
            let values = [
                link(run, alone, "root"),
                group(run, alone, "local"),
                group(run, alone, "remote"),
                remote_over_local(run, alone),
                link(run, victim, "root"),
                link(run, victim, "inter-switch"),
                remote_over_local(run, victim),
                group(run, victim, "victim"),
            ];
            let cells = of_axes.chain(values.map(|value| cell(value, 3)));
            let _ = writeln!(text, "| {} |", cells.collect::<Vec<_>>().join(" | "));
        }
        text.push('\n');
        Ok(())
    }
}
