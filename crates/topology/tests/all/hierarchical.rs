//! Hierarchical networks: what rsi.md says of them.

use hierarchy::{Algorithm, LocalRoutes, VcScheme};
use topology::{BuildOptions, GlobalWiring, HierarchyOptions, Network, TopologyConfig};

const NAMES: [&str; 4] = ["dragonfly", "rsi-hypercube", "rsi-slimfly", "rsi-butterfly"];

pub(crate) fn config(name: &str, super_nodes: u32, wiring: GlobalWiring) -> TopologyConfig {
    match name {
        "dragonfly" => TopologyConfig::Dragonfly {
            super_nodes,
            wiring,
        },
        "rsi-hypercube" => TopologyConfig::RsiHypercube {
            super_nodes,
            wiring,
        },
        "rsi-slimfly" => TopologyConfig::RsiSlimfly {
            super_nodes,
            wiring,
        },
        _ => TopologyConfig::RsiButterfly {
            super_nodes,
            wiring,
        },
    }
}

#[test]
fn look() {
    for name in NAMES {
        for packed in [false, true] {
            for lr in LocalRoutes::ALL {
                for sch in VcScheme::ALL {
                    for alg in Algorithm::ALL {
                        let wiring = if packed {
                            GlobalWiring::PalmTreePacked { links_per_pair: 1 }
                        } else {
                            GlobalWiring::PalmTreeSpread { links_per_pair: 1 }
                        };
                        let options = BuildOptions {
                            vcs: 16,
                            allow_deadlock: true,
                            hierarchy: HierarchyOptions {
                                algorithm: *alg,
                                vc_scheme: *sch,
                                local_routes: *lr,
                            },
                            ..BuildOptions::default()
                        };
                        let t = std::time::Instant::now();
                        match Network::build(&config(name, 8, wiring), &options) {
                            Ok(n) => {
                                let a = n.analysis().hierarchy.unwrap();
                                println!(
                                    "{name} packed={packed} {lr} {sch} {alg}: {} hops {} mean {:?} uni {:?} pair {:?} vcs {} {:?} {:?}",
                                    match n.deadlock() {
                                        topology::Deadlock::Free => "free".to_string(),
                                        topology::Deadlock::Cycle(c) =>
                                            format!("CYCLE{}", c.0.len()),
                                    },
                                    a.hops_max,
                                    a.hops_mean.map(|r| r.to_f64()),
                                    a.uniform_bound.map(|r| r.to_f64()),
                                    a.pair_bound.map(|r| r.to_f64()),
                                    a.vcs_needed,
                                    a.vcs_used,
                                    t.elapsed()
                                )
                            }
                            Err(e) => println!("{name} {packed} {lr} {sch} {alg}: {e}"),
                        }
                    }
                }
            }
        }
    }
}
