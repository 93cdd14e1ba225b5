//! `cargo xtask compare-engines`: do the engines agree on drawn cases, and what was drawn?

use crate::pool::{caught, count_on_all_cores, locked};
use fabric::Engine;
use plan::FabricConfig;
use setaside::{Exit, Failure};
use setaside_tests::compare::{result, texts_differ};
use setaside_tests::drawn;
use setaside_tests::features::{Table, features};
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::time::Instant;

/// Cases between two reports.
const REPORT_EVERY: u64 = 1_000;

/// Pairs of features in a report.
const RAREST: usize = 100;

/// Where the last report is: an interrupted run leaves its counts there.
const REPORT: &str = "target/compare-engines.txt";

const ENGINES: [Engine; 2] = [Engine::Fast, Engine::Parallel(TWO)];

const TWO: NonZeroUsize = NonZeroUsize::new(2).expect("not 0");

#[derive(Default)]
struct Found {
    table: Table,
    differing: Vec<(u64, String)>,
}

impl Found {
    fn text(&self) -> String {
        let mut text = self.table.text(RAREST);
        for (seed, what) in &self.differing {
            let _ = writeln!(text, "\nseed {seed}: {what}");
        }
        text
    }
}

/// Where an engine differs from the reference, if one does.
fn differ(config: &FabricConfig, seed: u64) -> Option<String> {
    // Some with an observer that sees everything in order.
    let in_order = seed.is_multiple_of(4);
    let reference = result(config, Engine::Reference, in_order);
    ENGINES.into_iter().find_map(|engine| {
        let what = texts_differ(&result(config, engine, in_order), &reference)?;
        Some(format!("{engine:?}, {what}"))
    })
}

/// Compares `cases` from seed `from` on; writes how many, those that differ, what was drawn.
pub(crate) fn compare_engines(cases: u64, from: u64) -> Result<(), Failure> {
    let start = Instant::now();
    let found = Mutex::new(Found::default());
    count_on_all_cores(cases, |k| {
        let seed = from.wrapping_add(k);
        let checked = caught(|| {
            let case = drawn::case(seed, 1_000 + seed % 3 * 700);
            (features(&case), differ(&case.config, seed))
        });
        let mut found = locked(&found);
        if let Ok((drawn, _)) = &checked {
            found.table.add(drawn);
        }
        if let Some(what) = checked.map_or_else(Some, |(_, what)| what) {
            eprintln!("seed {seed}: {what}");
            found.differing.push((seed, what));
        }
        if found.table.cases().is_multiple_of(REPORT_EVERY) {
            let (done, took) = (found.table.cases(), start.elapsed().as_secs());
            eprintln!("{done} of {cases} cases, {} differ, {took} s", found.differing.len());
            // A report that cannot be written is no reason to stop.
            let _ = std::fs::write(REPORT, found.text());
        }
        true
    });
    let found = locked(&found);
    print!("{}", found.text());
    match found.differing.len() {
        0 => Ok(()),
        some => Err(Failure::new(Exit::Failure, format!("{some} of {cases} cases differ"))),
    }
}
