//! The least that can be observed, and parts of it, as a verb that callgrind measures alone.

use crate::page::failed;
use fabric::{Engine, Fabric, stats_config};
use observe::{Event, EventsHash, Observer, Place, Stats, StatsConfig, View};
use plan::FabricConfig;
use scenario::Scenario;
use setaside::Failure;
use std::path::PathBuf;
use units::Tick;

/// What to simulate.
#[derive(clap::Args)]
pub(crate) struct HopsArgs {
    file: PathBuf,
    #[command(flatten)]
    sets: setaside::SetArgs,
    /// What is observed besides
    #[arg(long, hide = true, value_enum, default_value_t)]
    observer: Observed,
}

/// What is observed besides packet-hops.
#[derive(Clone, Copy, Default, clap::ValueEnum)]
enum Observed {
    #[default]
    Nothing,
    /// The event hash.
    Hash,
    /// Statistics, which count packet-hops themselves.
    Statistics,
}

struct Hops {
    packet_hops: u64,
    duration: Tick,
}

impl Observer for Hops {
    /// As statistics are: the engine is the same with either.
    const IS_ORDERED: bool = false;

    #[inline(always)]
    fn event(&mut self, _: View<'_>, _: Place, event: Event) {
        if let Event::Hop { at, .. } = event {
            self.packet_hops += u64::from(at < self.duration);
        }
    }
}

/// Simulates a scenario and prints the packet-hops.
pub(crate) fn hops(args: &HopsArgs) -> Result<(), Failure> {
    let config = Scenario::load(&args.file, &args.sets.all())?.build()?;
    let packet_hops = match args.observer {
        Observed::Nothing => run(&config, counter(&config))?.packet_hops,
        Observed::Hash => {
            let both = (counter(&config), EventsHash::until(config.run.duration));
            run(&config, both)?.0.packet_hops
        }
        Observed::Statistics => run(&config, statistics(&config))?.counts().hops,
    };
    println!("{{\"packet_hops\": {packet_hops}}}");
    Ok(())
}

fn counter(config: &FabricConfig) -> Hops {
    Hops { packet_hops: 0, duration: config.run.duration }
}

/// As a run has them, except that no links are measured.
fn statistics(config: &FabricConfig) -> Stats {
    Stats::new(StatsConfig { measured_links: Vec::new(), ..stats_config(config) })
}

/// The observer at the end of a run.
fn run<O: Observer>(config: &FabricConfig, observer: O) -> Result<O, Failure> {
    let mut fabric = Fabric::new(config, Engine::Fast, observer).map_err(failed)?;
    fabric.run_until(config.run.duration).map_err(failed)?;
    Ok(fabric.observer)
}
