//! What the paper leaves open: a sweep and a table each.

use super::{WORK, cell, group, link, remote_over_local};
use crate::reproduce::runs::{of_study, run_all};
use setaside::Failure;
use std::fmt::Write as _;

/// Name of the study without `ecn-`, heading, axes with their names, and what moves, in a sentence.
struct Open {
    study: &'static str,
    title: &'static str,
    axes: &'static [(&'static str, &'static str)],
    moves: &'static str,
}

const MARKING: (&str, &str) = ("ecn.marking", "marking");

const ALL: [Open; 7] = [
    Open {
        study: "rate-ratio",
        title: "Rmax/Rmin",
        axes: &[
            MARKING,
            ("ecn.response", "response"),
            ("ecn.rate_ratio", "Rmax/Rmin"),
        ],
        moves: "Where ten lowest rates together exceed what the memory lets pass (10/M above 0.286, M = 32), naive marking does nothing; from M = 64 on remote flows get 0.19 of local ones and fall to 0.05 to 0.07, while the victim rises from 0.54 to 0.85. Input-triggered marking gets less even as M grows, up to M = 1024 with `lipd`; with M = 4096 the flows have not recovered after 300 ms and the root link is at 0.77. `fimd` and `aimd` keep the root link at 0.83 to 0.91, `lipd` at 0.96 to 0.995, up to M = 2048.",
    },
    Open {
        study: "initial-rate",
        title: "The initial rate",
        axes: &[MARKING, ("ecn.initial_rate", "initial rate")],
        moves: "Flows over the root link do not feel it from 0.01 on. The victim does: it sends for 200 ms, and with `lipd` x falls by at most 1 in M packet times, so that from 0.01 on it gets half, and from the lowest rate nobody comes up to speed in 500 ms.",
    },
    Open {
        study: "cut-through",
        title: "Whether packets that cut through occupy a slot",
        axes: &[MARKING, ("ecn.cut_through_occupies_slot", "they do")],
        moves: "Nothing moves without the victim: whatever comes to a congested memory waits. With it a victim's packet that takes a slot makes the memory full more often, so naive marking lets remote flows have less (0.076 instead of 0.107 of local ones) and the victim 0.03 more; input-triggered marking moves by 0.01.",
    },
    Open {
        study: "arbiter",
        title: "Oldest first or round robin",
        axes: &[MARKING, ("switch.arbiter", "arbiter")],
        moves: "It moves the baseline: round robin gives the inter-switch link 1 turn in 11 and not 4 in 14, so without control remote flows get 0.100 of local ones and the victim 0.009; only oldest first gives what is published. Naive marking moves little. Input-triggered marking becomes fairer (0.45 instead of 0.26), and the root link falls to 0.90.",
    },
    Open {
        study: "multicast-read",
        title: "Multicast read",
        axes: &[MARKING, ("switch.input_multicast_read", "multicast read")],
        moves: "Nothing moves without the victim. With it the memory behind the inter-switch link can feed one output at a time: the victim waits for remote packets that are read at the rate of the root link, and gets 0.12 instead of 0.81 (naive) and 0.08 instead of 0.71 (input-triggered). Only with multicast read is the victim high, as published; without control it is 0.036 instead of 0.041.",
    },
    Open {
        study: "waits-until",
        title: "When cnt1 falls",
        axes: &[MARKING, ("ecn.waits_until", "at its")],
        moves: "Naive marking has no cnt1. With input-triggered marking the packet that is being sent counts too, so one more is marked: fairer by 0.05 to 0.06, the root link down by 0.001 to 0.003.",
    },
    Open {
        study: "calm",
        title: "No marks for a link that was blocked within the last t",
        axes: &[MARKING, ("ecn.calm_ns", "t, ns")],
        moves: "Nothing moves, as published.",
    },
];

pub(super) fn write(text: &mut String, resume: bool) -> Result<(), Failure> {
    text.push_str(
        "### What the paper leaves open\n\nOne study each, one key at a time over the shipped scenario: 500 ms, without the victim from 100 to 300 ms, with it from \
         300 to 500 ms.\n\n",
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
            "**{}**, `scenarios/studies/{file}`. {}\n\n\
             | {} | root | local | remote | remote/local | with victim: root | inter-switch | remote/local | victim |\n|{}---|---|---|---|---|---|---|---|",
            self.title,
            self.moves,
            heads.join(" | "),
            "---|".repeat(heads.len())
        );
        let (alone, victim) = (Some("alone"), Some("with-victim"));
        for run in &done {
            let of_axes = self
                .axes
                .iter()
                .map(|(axis, _)| run.label(axis).to_string());
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
