//! Random cases with what those of [`crate::random`] do not have: tori, virtual channels, tables,
//! and requests that are answered.

use crate::prelude::*;
use crate::random::attempt;
use turnpool::PoolKind;

/// Mixed into the seed, so that the draws here have nothing to do with those of other cases.
const SALT: u64 = 0x0d1f_f7c5_0000_0002;

/// A random case.
#[derive(Debug, Clone)]
pub struct Wide {
    /// The fabric, which finds its way by turns.
    pub config: FabricConfig,
    topology: TopologyConfig,
}

impl Wide {
    /// The fabric with tables in place of turns.
    #[must_use]
    pub fn with_tables(&self) -> FabricConfig {
        let options = BuildOptions { tables: true, ..*self.config.network.options() };
        let network = Network::build(&self.topology, &options).expect("tables of the same routes");
        FabricConfig {
            network: Arc::new(network),
            routing: RoutingKind::Table,
            ..self.config.clone()
        }
    }

    /// Whether it may have tables: versions of RECN need the turns.
    pub fn has_tables(&self) -> bool {
        self.config.switch.scheme.version().is_none()
    }

    /// Whether it is a torus.
    pub fn is_torus(&self) -> bool {
        matches!(self.topology, TopologyConfig::Torus { .. })
    }
}

/// The window of each group, by its number; `None` of an open loop.
pub fn windows(config: &FabricConfig) -> Vec<Option<u32>> {
    let groups = config.workload.summaries.iter();
    groups.map(|group| Some(group.replies?.closed?.window)).collect()
}

/// A legal random case with traffic that ends at `ns`.
pub fn case(seed: u64, ns: u64) -> Wide {
    let mut draw = Draw::new(seed ^ SALT);
    loop {
        let topology = random_topology(&mut draw);
        let vcs = draw.range(1, 4) as u8;
        let options = BuildOptions {
            pool: PoolKind::Extended,
            vcs,
            self_traffic: draw.chance(20),
            ..BuildOptions::default()
        };
        // A ring that would lock with one virtual channel is drawn again.
        let Ok(network) = Network::build(&topology, &options) else {
            continue;
        };
        let reply_vcs = draw.chance(30);
        let legal = SCHEMES.into_iter();
        let legal: Vec<SchemeKind> =
            legal.filter(|scheme| scheme.allows_vcs() || (vcs == 1 && !reply_vcs)).collect();
        let scheme = draw.one(&legal);
        let what = (seed, Some(scheme), ns);
        let mut config = attempt(&mut draw, Arc::new(network), what, ask_for_replies);
        (config.switch.vcs, config.switch.reply_vcs) = (vcs, reply_vcs);
        if Run::new(&config, Engine::Fast).is_ok() {
            return Wide { config, topology };
        }
    }
}

pub(crate) fn random_topology(draw: &mut Draw) -> TopologyConfig {
    match draw.range(0, 9) {
        0 => TopologyConfig::SingleSwitch { ports: draw.range(2, 8) as u32 },
        1 => TopologyConfig::Bmin { nodes: draw.one(&[8, 16]) },
        2 => {
            let (k, n) = draw.one(&[(2, 3), (3, 2), (4, 1)]);
            TopologyConfig::KAryNTree { k, n }
        }
        3 => TopologyConfig::Mesh {
            width: draw.range(2, 3) as u32,
            height: draw.range(2, 3) as u32,
            nodes_per_switch: draw.range(1, 2) as u32,
        },
        _ => {
            // Not more than 36 switches.
            let longest = [9, 6, 3];
            let rings = draw.range(1, 3) as usize;
            let dimensions = (0..rings).map(|_| draw.range(2, longest[rings - 1]) as u32);
            TopologyConfig::Torus {
                dimensions: dimensions.collect(),
                nodes_per_switch: draw.range(1, 2) as u32,
            }
        }
    }
}

/// Some groups ask for replies, some of these in a closed loop.
pub(crate) fn ask_for_replies(draw: &mut Draw, workload: &mut WorkloadConfig) {
    let groups = workload.groups.iter_mut().chain(&mut workload.hot);
    for group in groups {
        if draw.chance(60) {
            request(draw, group);
        }
    }
}

fn request(draw: &mut Draw, group: &mut GroupConfig) {
    group.reply_bytes = Some(draw.one(&[16, 64, 64, 200]));
    group.reply_delay_ns = draw.one(&[0, 0, 1, 100]);
    if draw.chance(60) {
        group.window = Some(draw.range(1, 4) as u32);
        group.think_ns = draw.one(&[0, 0, 1, 200]);
    }
}
