//! Random cases with ECN: those of [`crate::random`] and [`crate::wide`] with marks in switches,
//! ACKs, windows and rates; and dumbbells and parking lots as the paper has them.

use crate::prelude::*;
use crate::random;
use crate::wide;
use ecn::marking::{Marking, Red, WaitsUntil};
use ecn::response::{Algorithm, Config};
use plan::{EcnConfig, EcnEndConfig};

/// Mixed into the seed, so that the draws here are not those of `random`.
const SALT: u64 = 0x0d1f_f7c5_0000_0003;

/// A legal random case with traffic that ends at `ns`.
pub fn case(seed: u64, ns: u64) -> FabricConfig {
    let mut draw = Draw::new(seed ^ SALT);
    loop {
        let mut config = match draw.range(0, 9) {
            0..=3 => random::case(draw.range(0, u64::MAX - 1), None, ns),
            4..=6 => wide::case(draw.range(0, u64::MAX - 1), ns).config,
            _ => paper(&mut draw, ns),
        };
        let switch = &mut config.switch;
        // Most rules read memories at inputs.
        if draw.chance(60) && switch.scheme.version().is_none() {
            switch.organisation = Organisation::Iq;
            config.time_base = crate::base::time_base(ratio(1, 1));
        }
        if switch.organisation == Organisation::Iq && draw.chance(40) {
            switch.arbiter = ArbiterKind::OldestFirst;
            switch.wait_bound_packets = None;
            switch.input_multicast_read = draw.chance(70);
        }
        if draw.chance(30) && switch.scheme != SchemeKind::OneQueue {
            switch.max_bypass = Some(draw.range(0, 4) as u32);
        }
        switch.ecn = Some(marks(&mut draw, switch.organisation));
        config.endnode.ecn = Some(responds(&mut draw, &config));
        if Run::new(&config, Engine::Fast).is_ok() {
            return config;
        }
    }
}

/// Which packets are marked.
pub(crate) fn marks(draw: &mut Draw, organisation: Organisation) -> EcnConfig {
    let marking = match organisation {
        Organisation::Oq => Marking::None,
        Organisation::Cioq if draw.chance(40) => {
            let kmin = draw.range(0, 300) as u32;
            let kmax = kmin + draw.range(0, 600) as u32;
            let pmax = Ratio::new(draw.range(1, 10), 10).expect("not zero");
            Marking::Red(Red::new(kmin, kmax, pmax).expect("legal"))
        }
        Organisation::Iq | Organisation::Cioq => match draw.range(0, 3) {
            0 => Marking::Naive,
            1 | 2 => Marking::InputTriggered,
            _ => Marking::InputOutputTriggered { output_threshold: draw.range(1, 6) as u32 },
        },
    };
    let calm = draw.one(&[0, 0, 1, 100, 1000]);
    EcnConfig {
        marking,
        cut_through_occupies_slot: draw.chance(40),
        input_threshold_packets: draw.one(&[None, None, Some(1), Some(2), Some(3)]),
        // Inputs of `cioq` do not know when links were blocked.
        calm: match organisation {
            Organisation::Cioq => Span::ZERO,
            _ => Span(calm),
        },
        waits_until: draw.one(&[WaitsUntil::Start, WaitsUntil::End]),
    }
}

/// What sources answer with.
pub(crate) fn responds(draw: &mut Draw, config: &FabricConfig) -> EcnEndConfig {
    let rate_ratio = draw.one(&[1, 2, 8, 64]);
    let algorithm = draw.one(&[
        Algorithm::None,
        Algorithm::Lipd { rate_ratio },
        Algorithm::Fimd { rate_ratio },
        Algorithm::Aimd { rate_ratio },
    ]);
    let window = draw.one(&[Some(1), Some(1), Some(2), Some(5), None]);
    let phit = config.time_base.link_phit_ticks().0;
    let ticks_per_byte = Ratio::new(phit, 2).expect("phits of two bytes");
    let response = Config::new(algorithm, window, ticks_per_byte).expect("legal");
    let initial = Ratio::new(1, draw.range(1, u64::from(rate_ratio))).expect("not zero");
    EcnEndConfig {
        ack_bytes: draw.one(&[2, 20, 20, 64]),
        cnps: None,
        response: match algorithm {
            Algorithm::None => response,
            _ => response.with_initial_rate(initial).expect("legal"),
        },
    }
}

/// The paper's switch: slots for packets of any length, a pool that all outputs share, the oldest
/// packet of the switch first; on a dumbbell or a parking lot whose last link all want.
fn paper(draw: &mut Draw, ns: u64) -> FabricConfig {
    let inputs = draw.range(1, 6) as u32;
    let (topology, root, sources) = if draw.chance(70) {
        let sources = (0..inputs).chain(inputs + 1..=2 * inputs);
        let root = 2 * inputs + 1;
        (TopologyConfig::Dumbbell { inputs }, root, sources.collect())
    } else {
        let switches = inputs + 1;
        let sources: Vec<u32> = (0..switches).collect();
        (TopologyConfig::ParkingLot { switches }, switches, sources)
    };
    let network = network(&topology);
    let mut switch = switch_config(SchemeKind::Damq);
    switch.organisation = Organisation::Iq;
    switch.arbiter = ArbiterKind::OldestFirst;
    switch.wait_bound_packets = None;
    switch.input_multicast_read = draw.chance(70);
    switch.max_bypass = Some(draw.range(0, 4) as u32);
    switch.cell_bytes = 64;
    switch.port_memory_bytes = 64 * draw.range(1, 6) as u32;
    let to_root = group("root", ratio(draw.range(2, 10), 10), sources, &[root]);
    let step_ns = draw.one(&[0, 10, 100]);
    let mut groups = vec![GroupConfig { end_ns: Some(ns), step_ns, ..to_root }];
    if let TopologyConfig::Dumbbell { inputs } = topology {
        let load = ratio(draw.range(2, 10), 10);
        let victim = group("victim", load, [inputs], &[2 * inputs + 2]);
        groups.push(GroupConfig { start_ns: ns / 4, end_ns: Some(ns), ..victim });
    }
    let workload = WorkloadConfig { groups, ..WorkloadConfig::default() };
    let seed = draw.range(0, 1000);
    let mut config = fabric_config(network, switch, ratio(1, 1), &workload, ns, seed);
    config.link.wire = Span(draw.range(1, 40));
    config.run.watchdog = Span(60_000);
    config.run.series_bin = Span(1000);
    config
}
