//! The least that can be observed: for the cost of statistics. A verb of its own, so that callgrind can look at it alone.

use super::failed;
use fabric::{Engine, Fabric, Observer, View};
use scenario::Scenario;
use setaside::Failure;
use std::path::PathBuf;
use switch::{Event, Place};
use units::{Tick, Ticks};

/// What to simulate.
#[derive(clap::Args)]
pub(crate) struct HopsArgs {
    file: PathBuf,
    #[command(flatten)]
    sets: setaside::SetArgs,
}

struct Hops {
    packet_hops: u64,
    duration: Tick,
}

impl Observer for Hops {
    const IN_ORDER: bool = false;

    #[inline]
    fn event(&mut self, _: View<'_>, _: Place, _: Event) {}
    #[inline]
    fn hop(&mut self, _: View<'_>, _: Place, at: Tick, _: Ticks) {
        self.packet_hops += u64::from(at < self.duration);
    }
}

/// Simulates a scenario and says the packet-hops.
pub(crate) fn hops(args: &HopsArgs) -> Result<(), Failure> {
    let config = Scenario::load(&args.file, &args.sets.sets)?.build()?;
    let duration = config.run.duration;
    let observer = Hops {
        packet_hops: 0,
        duration,
    };
    let mut fabric = Fabric::new(&config, Engine::Fast, observer).map_err(failed)?;
    fabric.run_until(duration).map_err(failed)?;
    println!("{{\"packet_hops\": {}}}", fabric.observer.packet_hops);
    Ok(())
}
