//! Random fabrics with pause in the place of credits, half of them with DCQCN.

use crate::prelude::*;
use crate::random::{case, large_case};
use ecn::marking::{Marking, Red, WaitsUntil};
use ecn::response::{Algorithm, Config, Dcqcn};
use flow_control::LinkLoop;
use plan::{CnpConfig, EcnConfig, EcnEndConfig, PfcConfig, PfcQueues};

/// A random case of scheme `pfc` in which every memory is as small as it may be for its xoff.
pub fn pfc_case(seed: u64, ns: u64) -> FabricConfig {
    paused(case(seed, Some(SchemeKind::OneQueue), ns), seed)
}

/// The same in a network that can mostly be cut into eight parts.
pub fn large_pfc_case(seed: u64, ns: u64) -> FabricConfig {
    paused(large_case(seed, ns), seed)
}

/// The case with pause in the place of its credits.
pub fn paused(mut config: FabricConfig, seed: u64) -> FabricConfig {
    let mut draw = Draw::new(seed ^ 0x9fc);
    if config.switch.organisation == Organisation::Oq {
        config.switch.organisation = Organisation::Cioq;
    }
    let xoff = draw.range(1, 4 * u64::from(config.packet_bytes));
    config.switch.scheme = SchemeKind::Pfc;
    config.switch.pfc = Some(PfcConfig {
        queues: draw.one(&[PfcQueues::OneQueue, PfcQueues::VoqSw]),
        xoff_bytes: xoff,
        xon_bytes: draw.range(0, xoff),
        pause_bytes: draw.one(&[64, 64, 6, 1, 200]),
        quanta: Span::ZERO,
        // Messages of 2 bytes and up are drawn.
        cell_bytes_per_byte: fill(&config),
    });
    // A packet of its own kind beside: the memories on the way out must hold two.
    least_memory(&mut config);
    let longest = 2 * (config.packet_bytes + 2 * config.switch.cell_bytes);
    let memory = config.switch.port_memory_bytes;
    if memory < longest {
        // More would not be the least any more: PAUSE comes later.
        if let Some(pfc) = &mut config.switch.pfc {
            pfc.xoff_bytes += u64::from(longest - memory);
        }
        least_memory(&mut config);
    }
    if draw.chance(50) {
        notified(&mut config, &mut draw);
    }
    if draw.chance(30)
        && let Some(pfc) = &mut config.switch.pfc
    {
        let quanta = Span(draw.range(100, 2_000));
        pfc.quanta = quanta;
        if plan::params(&config).is_err()
            && let Some(pfc) = &mut config.switch.pfc
        {
            pfc.quanta = Span::ZERO;
        }
    }
    config
}

/// With marks at outputs, and DCQCN as published but ten times as fast.
pub fn dcqcn(config: &mut FabricConfig) {
    let timer = config.time_base.ns_to_ticks_ceil(5_500);
    let dcqcn = Dcqcn::new(timer, timer).expect("no timer of 0");
    let dcqcn = dcqcn.with_byte_counter(1_000_000).expect("not 0");
    let interval = config.time_base.ns_to_ticks_ceil(5_000);
    let cell = config.switch.cell_bytes;
    if let Some(pfc) = &mut config.switch.pfc {
        pfc.cell_bytes_per_byte = LinkLoop::cell_bytes_per_byte(cell, [20, config.packet_bytes]);
        least_memory(config);
    }
    reaction(config, dcqcn, CnpConfig { bytes: 20, interval });
    marks(config, Red::new(1_000, 8_000, Ratio::new(1, 10).expect("not zero")).expect("in order"));
}

/// With marks at outputs, and DCQCN at their sources, fast enough for a short run.
pub(crate) fn notified(config: &mut FabricConfig, draw: &mut Draw) {
    let packet = u64::from(config.packet_bytes);
    let ticks = |draw: &mut Draw| Span(draw.range(1, 900));
    let ratio = |draw: &mut Draw| Ratio::new(1, draw.range(1, 100)).expect("not zero");
    let dcqcn = Dcqcn::new(ticks(draw), ticks(draw)).expect("no timer of 0");
    let dcqcn = dcqcn.with_g(ratio(draw)).expect("legal");
    let dcqcn = dcqcn.with_additive(ratio(draw)).expect("legal");
    let dcqcn = dcqcn.with_hyper(ratio(draw)).expect("legal");
    let dcqcn = dcqcn.with_lowest_rate(ratio(draw)).expect("legal");
    let bytes = draw.range(packet, 50 * packet);
    let dcqcn = dcqcn.with_byte_counter(bytes).expect("not 0");
    let dcqcn = dcqcn.with_fast_recovery(draw.range(0, 5) as u32);
    let cnps =
        CnpConfig { bytes: draw.range(2, packet) as u32, interval: Span(draw.range(0, 500)) };
    reaction(config, dcqcn, cnps);
    if config.switch.organisation != Organisation::Cioq {
        return;
    }
    let kmin = draw.range(0, packet) as u32;
    let kmax = kmin + draw.range(0, 2 * packet) as u32;
    let most = Ratio::new(1, draw.range(1, 4)).expect("not zero");
    let red = Red::new(kmin, kmax, most).expect("in order");
    marks(config, red);
}

fn reaction(config: &mut FabricConfig, dcqcn: Dcqcn, cnps: CnpConfig) {
    let base = &config.time_base;
    let phit = u64::from(base.phit_bytes());
    let ticks_per_byte = Ratio::new(base.link_phit_ticks().0, phit).expect("a phit");
    let response = Config::new(Algorithm::Dcqcn(dcqcn), None, ticks_per_byte).expect("legal");
    config.endnode.ecn = Some(EcnEndConfig { ack_bytes: 0, cnps: Some(cnps), response });
}

fn marks(config: &mut FabricConfig, red: Red) {
    config.switch.ecn = Some(EcnConfig {
        marking: Marking::Red(red),
        cut_through_occupies_slot: false,
        waits_until: WaitsUntil::Start,
        input_threshold_packets: None,
        calm: Span::ZERO,
    });
}

fn fill(config: &FabricConfig) -> Ratio {
    let cell = config.switch.cell_bytes;
    LinkLoop::cell_bytes_per_byte(cell, [2, config.packet_bytes])
}

/// Sets the memory to the least for xoff and the longest wire.
pub fn least_memory(config: &mut FabricConfig) {
    let pfc = config.switch.pfc.expect("scheme pfc");
    let params = plan::params(config).expect("legal but for the memory");
    let overrides = config.link.wire_overrides.iter().map(|o| o.1);
    let wire = overrides.fold(config.link.wire, Span::max);
    let cell = config.switch.cell_bytes;
    let headroom = params.pause_loop(&pfc, wire).headroom(cell);
    let vc = (pfc.xoff_bytes + headroom).next_multiple_of(cell.into());
    config.switch.port_memory_bytes = vc as u32 * u32::from(config.switch.all_vcs());
}
