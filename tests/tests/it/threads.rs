//! What goes wrong in one thread ends the run, with its own words.

use fabric::RunError;
use setaside_tests::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::time::Duration;
use study::{Exit, RunFailure};
use units::broken;

/// More than any of these runs takes, by far.
const PATIENCE: Duration = Duration::from_secs(120);

/// Finds an invariant broken at the first event of some switches from a tick on.
struct Breaks {
    from: Tick,
    switches: Vec<u32>,
}

impl Observer for Breaks {
    fn fork(&self) -> Option<Breaks> {
        Some(Breaks { from: self.from, switches: self.switches.clone() })
    }

    fn event(&mut self, view: View<'_>, place: Place, _: Event) {
        let switch = view.owners[place.port.index()].element.0;
        if view.now >= self.from && self.switches.contains(&switch) {
            broken(Unit::Switch { switch }, view.now, &"a test breaks it");
        }
    }
}

/// What the command line reports of a run on four threads in which these switches break; `None` if
/// it does not end.
fn failure_of(switches: &[u32]) -> Option<RunFailure> {
    let breaks = Breaks { from: Tick(1_000), switches: switches.to_vec() };
    let (sender, receiver) = mpsc::channel();
    // Not joined: a run that hangs must not hang the test.
    std::thread::spawn(move || {
        let bmin = network(&TopologyConfig::Bmin { nodes: 64 });
        let workload = WorkloadConfig { load: Some(ratio(1, 2)), ..WorkloadConfig::default() };
        let switch = switch_config(SchemeKind::VoqSw);
        let config = fabric_config(bmin, switch, ratio(3, 2), &workload, 10_000, 1);
        let mut run = Run::with(&config, threads(4), breaks).expect("a legal configuration");
        assert_eq!(run.threads(), 4);
        let ended = catch_unwind(AssertUnwindSafe(|| run.step(Tick::MAX)));
        let _ = sender.send(ended.map_err(|payload| RunFailure::of_panic(&*payload)));
    });
    let ended: Result<Result<(), RunError>, RunFailure> = receiver.recv_timeout(PATIENCE).ok()?;
    ended.err()
}

/// "4: a broken invariant of the model", whichever thread finds it; the others do not wait for it
/// for ever.
#[test]
fn a_broken_invariant_in_any_thread_ends_the_run_with_its_text() {
    // Leaf switches of all four parts, and one of the top stage.
    for switch in [0, 5, 10, 15, 40] {
        let failure = failure_of(&[switch]).expect("the run ends, and not well");
        assert_eq!(failure.exit, Exit::BrokenInvariant);
        let text = format!("broken invariant: a test breaks it at fabric.switch{switch}, tick 1");
        assert!(failure.message.starts_with(&text), "{}", failure.message);
    }
}

/// Where several threads fail in one window, the same one is reported every time.
#[test]
fn of_several_broken_invariants_always_the_same_is_reported() {
    let all: Vec<u32> = (0..48).collect();
    let first = failure_of(&all).expect("the run ends, and not well");
    for _ in 0..20 {
        assert_eq!(failure_of(&all).as_ref(), Some(&first));
    }
}
