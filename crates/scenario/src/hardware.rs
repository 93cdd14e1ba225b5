//! The sections of the switch and `[link]`: what a port memory holds, the organisation of each
//! scheme, and the base clock: what a tick is.

use crate::draft::Draft;
use crate::keys::{ALGORITHM, MEMORY, ORGANISATION, SCHEME, VCS};
use crate::network::{self, Shape};
use crate::{ecn, hierarchical, pfc};
use flow_control::{ThresholdError, Thresholds};
use plan::scheme::{PortView, Scheme};
use plan::{
    CELLS_MAX, LinkConfig, Organisation, SchemeKind, StageLatencies, SwitchConfig, VoqNetMemory,
};
use recn::{RecnConfig, Rules};
use topology::TopologyConfig;
use units::{Ratio, TimeBase, TimeBaseError};

const CELL: &str = "switch.cell_bytes";
const REPLY_VCS: &str = "endnode.reply_vcs";

/// The switch of a scenario; `None` with an error.
pub(crate) fn switch(draft: &Draft, shape: &Shape) -> Option<SwitchConfig> {
    let organisation: Organisation = draft.word(ORGANISATION).parse().ok()?;
    let scheme: SchemeKind = draft.word(SCHEME).parse().ok()?;
    let before = draft.found();
    let is_hierarchical = shape.plan.is_some();
    if is_hierarchical && organisation == Organisation::Oq {
        draft.refuse(
            &[ORGANISATION, "network.topology"],
            "\"oq\" in a hierarchical network: its nodes choose the output of a packet at their inputs",
            "legal: iq, cioq",
        );
        return None;
    }
    if is_hierarchical && !scheme.allows_choice() && scheme != SchemeKind::Pfc {
        hierarchical::refuse_scheme(draft, scheme);
        return None;
    }
    match (organisation, scheme) {
        (Organisation::Oq, SchemeKind::OneQueue | SchemeKind::Pfc) => {}
        (Organisation::Oq, _) => draft.refuse(
            &[SCHEME, ORGANISATION],
            format!("`{scheme}` with switch.organisation = \"oq\", the reference for theory"),
            "legal with oq: 1q; this scheme needs switch.organisation = \"cioq\"",
        ),
        (Organisation::Iq, SchemeKind::RecnBasic | SchemeKind::Recn | SchemeKind::RecnDd) => {
            draft.refuse(
                &[SCHEME, ORGANISATION],
                format!("`{scheme}` with switch.organisation = \"iq\": it needs memories at inputs and outputs"),
                format!("legal with iq: 1q, voq-sw, voq-net, dbbm, damq, recn-dd-iq; {scheme} needs switch.organisation = \"cioq\""),
            );
        }
        (Organisation::Cioq, SchemeKind::RecnDdIq) => draft.refuse(
            &[SCHEME, ORGANISATION],
            "`recn-dd-iq` with switch.organisation = \"cioq\": it has memories at inputs only",
            "legal: switch.organisation = \"iq\", or switch.scheme = \"recn-dd\"",
        ),
        _ => {}
    }
    channels(draft, organisation, scheme);
    ecn::order(draft, organisation, scheme);
    let ecn = ecn::switch(draft, organisation);
    let pfc = pfc::switch(draft, organisation);
    let stage = |name: &str| draft.small(&format!("switch.stages.{name}"));
    let config = SwitchConfig {
        pfc,
        input_multicast_read: draft.flag("switch.input_multicast_read"),
        max_bypass: draft.number("switch.max_bypass"),
        ecn,
        adaptive: hierarchical::adaptive(draft, shape),
        faults: crate::faults::any(draft),
        organisation,
        scheme,
        arbiter: draft.word("switch.arbiter").parse().ok()?,
        wait_bound_packets: draft.number("switch.wait_bound_packets"),
        saq_priority: draft.word("switch.saq_priority").parse().ok()?,
        switching: draft.word("switch.switching").parse().ok()?,
        port_memory_bytes: draft.small(MEMORY),
        cell_bytes: draft.small(CELL),
        vcs: u8::try_from(draft.small(VCS)).unwrap_or(topology::VCS_MAX),
        reply_vcs: draft.flag(REPLY_VCS),
        dbbm_queues: draft.small("dbbm.queues"),
        voq_sw_output: draft.word("voq_sw.output").parse().ok()?,
        voq_net_memory: draft.word("voq_net.memory").parse().ok()?,
        crossbar_overhead_bytes: draft.small("switch.crossbar_overhead_bytes"),
        stages: StageLatencies {
            route: stage("route"),
            lookup: stage("lookup"),
            enqueue: stage("enqueue"),
            arbitration: stage("arbitration"),
            crossbar: stage("crossbar"),
            credit_return: stage("credit_return"),
        },
        recn: recn(draft, scheme)?,
    };
    memory(draft, &config, shape);
    (draft.found() == before).then_some(config)
}

/// What is legal with several virtual channels, and with tables (recn.md, Where RECN applies).
fn channels(draft: &Draft, organisation: Organisation, scheme: SchemeKind) {
    let vcs = draft.small(VCS);
    let is_recn = scheme.version().is_some();
    if vcs > 1 && (is_recn || scheme == SchemeKind::Damq) {
        draft.refuse(
            &[VCS, SCHEME],
            format!(
                "{vcs} virtual channels with `{scheme}`: its shared pool would join them and lock"
            ),
            format!("legal with {scheme}: switch.vcs = 1; more with 1q, voq-sw, voq-net, dbbm"),
        );
    }
    let most = u32::from(topology::VCS_MAX);
    if draft.flag(REPLY_VCS) && 2 * vcs > most {
        let what = format!("{vcs} virtual channels and as many for replies are {}", 2 * vcs);
        let help = format!("legal: {most} together, so switch.vcs up to {}", most / 2);
        draft.refuse(&[REPLY_VCS, VCS, "routing.vc_scheme", ALGORITHM], what, help);
    }
    if vcs > 1 && organisation == Organisation::Oq {
        draft.refuse(
            &[VCS, ORGANISATION],
            format!(
                "{vcs} virtual channels with switch.organisation = \"oq\", the reference for theory"
            ),
            "legal with oq: switch.vcs = 1; more with cioq and iq",
        );
    }
    if draft.word(ALGORITHM) != "table" {
        return;
    }
    if is_recn {
        let what = format!("tables with `{scheme}`, which names congested points by turns");
        let help = format!("legal with {scheme}: routing.algorithm = \"turns\"");
        draft.refuse(&[ALGORITHM, SCHEME], what, help);
    }
    if draft.word("routing.up_choice") == "source" {
        draft.refuse(
            &["routing.up_choice", ALGORITHM],
            "up ports by source with routing.algorithm = \"table\", which looks destinations up",
            "legal with tables: routing.up_choice = \"destination\"",
        );
    }
}

fn memory(draft: &Draft, config: &SwitchConfig, shape: &Shape) {
    let SwitchConfig { port_memory_bytes, cell_bytes, .. } = *config;
    let packet_bytes = draft.small("link.packet_bytes");
    let cells = port_memory_bytes / cell_bytes;
    let packet_cells = packet_bytes.div_ceil(cell_bytes);
    if cells > CELLS_MAX {
        let what =
            format!("{port_memory_bytes} bytes in cells of {cell_bytes} bytes are {cells} cells");
        draft.refuse(
            &[MEMORY, CELL],
            what,
            format!(
                "legal: up to {CELLS_MAX} cells a port memory, or larger cells (switch.cell_bytes)"
            ),
        );
        return;
    }
    if config.organisation == Organisation::Oq
        && u64::from(cells) * u64::from(shape.ports) > u64::from(CELLS_MAX)
    {
        draft.refuse(
            &[MEMORY, CELL, ORGANISATION],
            format!("with oq an output memory has {cells} cells for each of {} inputs", shape.ports),
            format!("legal: up to {CELLS_MAX} cells in all, so a smaller switch.port_memory_bytes or larger cells"),
        );
        return;
    }
    if cells < packet_cells {
        draft.refuse(
            &[MEMORY, "link.packet_bytes", CELL],
            format!("a port memory of {port_memory_bytes} bytes ({cells} cells of {cell_bytes}) does not hold one packet of {packet_bytes} bytes"),
            "legal: at least one packet (link.packet_bytes) in whole cells",
        );
        return;
    }
    let port = PortView { ports: shape.ports, peer_ports: None, nodes: shape.nodes };
    let scheme = Scheme::new(config);
    // The inputs have as many queues as any output.
    let queues = if scheme.per_queue_credits { scheme.ingress_queues(port) } else { 1 };
    let (least, help) = match config.scheme {
        SchemeKind::VoqNet => (2 * packet_cells, ", or voq_net.memory = \"grow\""),
        SchemeKind::Dbbm => (packet_cells, ", or fewer dbbm.queues"),
        _ => (packet_cells, ""),
    };
    // "A VC has its own static share of the memory" (switch.md).
    let queues = queues * u32::from(config.all_vcs());
    let mut memory = cells / queues;
    let needed = u64::from(queues) * u64::from(least);
    let grows = config.scheme == SchemeKind::VoqNet && config.voq_net_memory == VoqNetMemory::Grow;
    if grows {
        memory = memory.max(least);
        if needed > u64::from(CELLS_MAX) {
            draft.refuse(
                &["voq_net.memory", SCHEME],
                format!("two packets for each of {queues} destinations are {needed} cells a port"),
                format!("legal: up to {CELLS_MAX} cells, so larger cells or fewer nodes"),
            );
        }
    } else if memory < least {
        let channels = match config.vcs {
            1 => String::new(),
            vcs => format!(" (in {vcs} virtual channels)"),
        };
        let packets = if least == packet_cells { "one packet" } else { "two packets" };
        draft.refuse(
            &[MEMORY, "dbbm.queues", VCS, SCHEME],
            format!(
                "`{}` splits a port memory of {cells} cells into {queues} queues of {memory}{channels}, where a queue needs {least} ({packets})",
                config.scheme
            ),
            format!("legal: switch.port_memory_bytes from {} on{help}", needed * u64::from(cell_bytes)),
        );
        return;
    }
    ecn::threshold(draft, memory / packet_cells.max(1), queues);
}

fn recn(draft: &Draft, scheme: SchemeKind) -> Option<RecnConfig> {
    const XOFF: &str = "recn.xoff_packets";
    const XON: &str = "recn.xon_packets";
    const PROPAGATION: &str = "recn.propagation_packets";
    const XON_EDGE: &str = "recn.xon_edge";
    let [xoff, xon, propagation] = [XOFF, XON, PROPAGATION].map(|path| draft.small(path));
    if propagation > xoff {
        draft.refuse(
            &[PROPAGATION, XOFF],
            format!("propagation at {propagation} packets is above Xoff at {xoff}: congestion would never spread as a tree"),
            format!("legal: {PROPAGATION} from 0 to {xoff}"),
        );
    }
    let thresholds = Thresholds::new(xoff, xon, draft.named(XON_EDGE));
    let thresholds = thresholds.map_err(|error| {
        let (other, help) = match error {
            ThresholdError::XonNeverBelow => {
                (XON_EDGE, format!("legal: {XON} of 1 or more, or {XON_EDGE} = \"reached\""))
            }
            _ => (XOFF, format!("legal: {XON} from 0 to {xoff}")),
        };
        draft.refuse(&[XON, other], error.to_string(), help);
    });
    let rules = scheme.version().map(Rules::of);
    let (tokens, moves) = (rules.is_some_and(|r| r.tokens), rules.is_some_and(|r| r.moves()));
    let time_base = draft.time_base?;
    let time = |path: &str, used: bool| match draft.ratio(path) {
        // A default that nobody reads must not force the user to set it.
        Some(ns) if !used && !draft.given(path) => time_base.ns_to_ticks_ceil(ns.num() / ns.den()),
        _ => draft.ticks(path),
    };
    let saq_timer = time("recn.saq_timer_ns", rules.is_some());
    let retry = time("recn.retry_ns", tokens);
    let xoff_repeat = time("recn.xoff_repeat_ns", rules.is_some() && !tokens);
    let ppu_interval = time("recn.ppu_interval_ns", moves);
    Some(RecnConfig {
        saqs: u8::try_from(draft.small("recn.saqs")).unwrap_or(64),
        detection_egress_packets: draft.small("recn.detection_egress_packets"),
        detection_ingress_packets: draft.small("recn.detection_ingress_packets"),
        propagation_packets: propagation,
        thresholds: thresholds.ok()?,
        saq_timer,
        retry,
        xoff_repeat,
        ppu_interval,
        iq_egress_lines: draft.flag("recn.iq_egress_lines"),
        root_xoff_packets: draft.number("recn.root_xoff_packets"),
    })
}

pub(crate) fn link(draft: &Draft, shape: Option<&Shape>) -> LinkConfig {
    const WIRE: &str = "link.wire_ns";
    if draft.ratio(WIRE).is_none() {
        draft.refuse(&[WIRE], "a wire without latency", "legal: at least 1 tick");
    }
    let (credits, named) =
        (draft.small("link.control_packet_bytes"), draft.small("link.named_control_bytes"));
    if (credits == 0) != (named == 0) {
        let what =
            format!("control packets of {named} bytes with credit packets of {credits} bytes");
        let help = "legal: both 0 (out of band), or both above 0 (in band)";
        draft.refuse(&["link.named_control_bytes", "link.control_packet_bytes"], what, help);
    }
    let wire_overrides = match shape.map(|shape| &shape.config) {
        Some(TopologyConfig::File { edges }) => network::wires(draft, edges),
        _ => Vec::new(),
    };
    LinkConfig {
        wire: draft.ticks(WIRE),
        wire_overrides,
        control_packet_bytes: credits,
        named_control_bytes: named,
    }
}

/// The time base that the rates of links and crossbars ask for; `None` with an error.
pub(crate) fn time_base(draft: &Draft, shape: Option<&Shape>) -> Option<TimeBase> {
    const SPEEDUP: &str = "switch.speedup";
    let mut speedup = draft.ratio(SPEEDUP).unwrap_or(Ratio::ONE);
    let before = draft.found();
    match draft.word(ORGANISATION) {
        "iq" if speedup != Ratio::ONE => draft.refuse(
            &[SPEEDUP, ORGANISATION],
            format!("a speedup of {speedup} with switch.organisation = \"iq\", where a packet leaves at the rate of the link"),
            "legal: switch.speedup = 1, or switch.organisation = \"cioq\"",
        ),
        "oq" => {
            // "speedup = number of ports": the organisation says so, the key may repeat it.
            let all = shape.and_then(|shape| Ratio::new(shape.ports.into(), 1).ok());
            if speedup != Ratio::ONE && all.is_some_and(|all| all != speedup) {
                draft.refuse(
                    &[SPEEDUP, ORGANISATION],
                    format!("a speedup of {speedup} with switch.organisation = \"oq\", whose outputs take a packet from every input at once"),
                    "legal: switch.speedup = 1 or the number of ports, or switch.organisation = \"cioq\"",
                );
            }
            speedup = Ratio::ONE;
        }
        _ => {}
    }
    match TimeBase::new(draft.small("link.phit_bytes"), draft.rate(), speedup) {
        Ok(time_base) => (draft.found() == before).then_some(time_base),
        Err(error) => {
            let (path, help) = match error {
                TimeBaseError::ZeroPhit => ("link.phit_bytes", "legal: 1 or more"),
                TimeBaseError::SpeedupBelowOne { .. } => {
                    (SPEEDUP, "legal: 1 or more, such as 1.5 or \"3/2\"")
                }
                TimeBaseError::SpeedupTooFine { .. } => {
                    (SPEEDUP, "legal: fractions whose numerator in lowest terms is at most 1000")
                }
                TimeBaseError::RateTooLong { .. } => {
                    ("link.rate_bytes_per_ns", "legal: shorter fractions")
                }
            };
            draft.refuse(&[path], error.to_string(), help);
            None
        }
    }
}
