//! `cargo xtask soak`: the property suites, for as long as one likes.

use crate::pool::{caught, count_on_all_cores, locked};
use fabric::Engine;
use plan::SchemeKind;
use setaside::{Exit, Failure};
use setaside_tests::compare::difference;
use setaside_tests::family::adversarial;
use setaside_tests::random::{self, RECN};
use setaside_tests::{ecn, invariants, pfc, rack, wide};
use std::sync::Mutex;
use std::time::Instant;
use units::Tick;

/// Cases between two lines of progress.
const REPORT_EVERY: u64 = 10_000;

/// What to draw.
#[derive(clap::Args)]
pub(crate) struct SoakArgs {
    /// Cases on the fast engine
    #[arg(long, default_value_t = 100_000)]
    cases: u64,
    /// Of these, cases on both engines
    #[arg(long, default_value_t = 2_000)]
    both: u64,
    /// First seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Which cases
    #[arg(long, value_enum, default_value_t)]
    suite: Suite,
    /// Versions of the RECN family to put under pressure, in turns; without it any scheme
    #[arg(long = "scheme", value_name = "NAME", value_parser = family, conflicts_with = "suite")]
    schemes: Vec<SchemeKind>,
}

/// A version of the RECN family by its name.
fn family(name: &str) -> Result<SchemeKind, String> {
    let legal = RECN.map(|s| s.name()).join(", ");
    let found = RECN.into_iter().find(|s| s.name() == name);
    found.ok_or_else(|| format!("legal: {legal}"))
}

/// Which cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Suite {
    /// Any scheme on any network with fixed routes.
    #[default]
    Any,
    /// Marks, ACKs and responses.
    Ecn,
    /// Priority flow control.
    Pfc,
    /// Virtual channels, tori, tables, replies.
    Wide,
    /// Hierarchical networks.
    Hierarchical,
    /// Hierarchical networks with links and nodes that fail and recover.
    Faults,
}

/// One case: of a suite, or of a version of the RECN family under pressure. What went wrong with
/// it, if anything.
fn one_case(suite: Suite, scheme: Option<SchemeKind>, seed: u64, both: bool) -> Result<(), String> {
    // Traffic ends at so many ns.
    let case = |ns| match (scheme, suite) {
        (Some(scheme), _) => adversarial(scheme, seed),
        (_, Suite::Any) => random::case(seed, None, ns),
        (_, Suite::Ecn) => ecn::case(seed, ns),
        (_, Suite::Pfc) => pfc::pfc_case(seed, ns),
        (_, Suite::Wide) => wide::case(seed, ns).config,
        (_, Suite::Hierarchical) => rack::case(seed, ns),
        (_, Suite::Faults) => rack::faulty_case(seed, ns),
    };
    let (drained_ns, both_ns, ticks) = match (scheme, suite) {
        (Some(_), _) => (0, 0, 9_000),
        (_, Suite::Hierarchical | Suite::Faults) => (3_000, 1_500, 3_000),
        _ => (4_000, 2_000, 6_000),
    };
    let of_scheme =
        |what: String| scheme.map_or(String::new(), |scheme| format!("{scheme}: ")) + &what;
    match invariants::missing(&case(drained_ns)).map_err(of_scheme)? {
        gone if gone > 0 && suite != Suite::Faults => {
            return Err(format!("{gone} packets are gone"));
        }
        _ if !both => return Ok(()),
        _ => {}
    }
    let mut config = case(both_ns);
    config.run.duration = Tick(ticks);
    difference(&config, Engine::Fast, Engine::Shuffled(seed)).map_or(Ok(()), Err)
}

/// Runs the cases on all cores and reports count, seed and the failures. With `schemes` case k is
/// an adversarial one of scheme k modulo their number; without, of any scheme.
pub(crate) fn soak(args: &SoakArgs) -> Result<(), Failure> {
    let &SoakArgs { cases, both, seed, suite, ref schemes } = args;
    let start = Instant::now();
    let failures: Mutex<Vec<(u64, String)>> = Mutex::default();
    count_on_all_cores(cases, |k| {
        let seed = seed.wrapping_add(k);
        let scheme = schemes.get(k as usize % schemes.len().max(1)).copied();
        if let Err(what) = caught(|| one_case(suite, scheme, seed, k < both)).flatten() {
            eprintln!("seed {seed}: {what}");
            locked(&failures).push((seed, what));
        }
        if (k + 1).is_multiple_of(REPORT_EVERY) {
            eprintln!("{} of {cases} cases, {:.0} s", k + 1, start.elapsed().as_secs_f64());
        }
        true
    });
    let failures = locked(&failures);
    println!(
        "{cases} cases ({suite:?}) from seed {seed}{}, {} of them on both engines: {} failed, {:.0} s",
        if schemes.is_empty() {
            String::new()
        } else {
            let names: Vec<&str> = schemes.iter().map(|s| s.name()).collect();
            format!(" over {}", names.join(", "))
        },
        both.min(cases),
        failures.len(),
        start.elapsed().as_secs_f64()
    );
    if failures.is_empty() { Ok(()) } else { Err(Failure::new(Exit::Failure, "some cases failed")) }
}
