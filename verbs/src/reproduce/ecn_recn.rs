//! ECN at the sources beside RECN in the switches, on cases 4 and 5 of garcia-trees-2005. Nobody
//! has published it.

mod cases;
mod figures;
pub(super) mod settle;
mod tables;

use super::runs::{Done, cell, of_study, p99_text, run_all};
use crate::page;
use cases::CASES;
use setaside::Failure;
use std::fmt::Write as _;

const WORK: &str = "ecn-beside-recn";

/// What is on its page. With `resume` runs that are stored are taken as they are.
pub(super) fn section(resume: bool) -> Result<String, Failure> {
    let mut text = String::from(
        "BMIN of 8-port switches, 8 Gbit/s, packets of 64 bytes, 32 KB a port, `cioq` with speedup 1.5: cases 4 and 5 of garcia-trees-2005, with shorter times. Random sources send at half the link rate, \
         so that there is room for ACKs, and in case 4 at the full rate too, as published. Engine fast. Means over seeds and their 95 % intervals (Student's t).\n\n\
         ECN, all of santos-ecn-2002, every packet answered by an ACK of 20 bytes, which takes a cell as a packet does:\n\n\
         - *ACKs alone*, *window 1 alone*: no marks and no rates, so that one sees what these do.\n\
         - *window 1, marks*: as published: one packet of a flow under way, `input-triggered` on a full memory, `lipd`, M = 512.\n\
         - *rates, inputs*: no window, `input-triggered` from 4 packets in an input memory or a queue's share of it on (the memory of the paper; 32 KB hold 512), `lipd`, M = 512.\n\
         - *rates, outputs*: no window, `red` at outputs, where packets wait at speedup 1.5, from 1000 to 40000 bytes (pmax 0.01), `lipd`, M = 512.\n\n\
         What is measured, all in bytes/ns or us:\n\n\
         - *victims*: delivered of flows to other than hot destinations while the tree stands; *dip*: the worst mean over 20 us of it; *p99* of their messages generated then, `>=` where not all had arrived in some run.\n\
         - *to hot*: delivered to hot destinations then, by all.\n\
         - *Jain*: of what each source got delivered from the onset to the end of the run, over random and over hot sources.\n\
         - *converge*: from the onset until all bins of 5 us up to the end of the tree are within 10 % of their own mean, with at least a fourth of the tree left. *recover*: from its end until all bins up to the end of \
         the run are above, or at most 10 % below, the mean before the onset, with at least a fourth of that time left. Both are of random sources as a whole, whatever the level: that is *victims*. *never*: in no run; `>=`: not in all, the others count with all the time there is.\n\
         - *SAQs*: the most in use at any one ingress, egress and injection port, in any run; *refused*: notifications that found none free, mean; *marked*: packets, mean.\n\n",
    );
    let sweep = run_all((WORK, "sweep"), &of_study("ecn-beside-recn.toml", |_| 0)?, resume)?;
    parameters(&mut text, &sweep);
    let mut all = Vec::new();
    for case in &CASES {
        let ran = case.run(WORK, resume)?;
        tables::write(&mut text, case, &ran);
        page::write(
            &format!("docs/img/ecn-beside-recn-{}.svg", case.short),
            &figures::over_time(case, &ran),
        )?;
        all.push(ran);
    }
    page::write("docs/img/ecn-beside-recn-saqs.svg", &figures::over_saqs(&all))?;
    text.push_str(
        "## SAQs\n\n![Victims by SAQs](../img/ecn-beside-recn-saqs.svg)\n\nMean over seeds with intervals; dotted: `voq-sw` without ECN.\n\n",
    );
    Ok(text)
}

/// The sweep that the parameters come from.
fn parameters(text: &mut String, sweep: &[Done]) {
    text.push_str(
        "## Parameters\n\n`scenarios/studies/ecn-beside-recn.toml`: case 4 at half load, `1q`, seed 1. *Threshold*: packets in an input memory that make an event.\n\n\
         | response | window | threshold | M | victims | dip | p99, us | to hot | packets marked |\n|---|---|---|---|---|---|---|---|---|\n",
    );
    for run in sweep {
        let label = |axis| match run.label(axis) {
            "" => "-",
            value => value,
        };
        let ecn = run.summary.ecn.as_ref();
        let p99 = p99_text(cases::p99(run));
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} | {} | {} | {p99} | {} | {} |",
            label("ecn.response"),
            label("ecn.window"),
            label("ecn.input_threshold_packets"),
            label("ecn.rate_ratio"),
            cell(cases::delivered(run), 2),
            cell(cases::dip(run), 2),
            cell(cases::to_hot(run), 2),
            ecn.map_or(0, |ecn| ecn.packets_marked),
        );
    }
    text.push('\n');
}
