//! The sections of the switch: what fits into a port memory, and which scheme goes with which
//! organisation.

use crate::error::ScenarioError;
use crate::network::Shape;
use crate::settings::Settings;
use crate::times::ticks;
use crate::{ecn, hierarchical, pfc};
use flow_control::{Edge, Thresholds};
use plan::{Organisation, SchemeKind, StageLatencies, SwitchConfig, VoqNetMemory};
use recn::{RecnConfig, Rules};
use std::str::FromStr;
use units::TimeBase;

/// The most cells that next-slot registers of 16 bits can name.
const CELLS_MAX: u32 = 65_534;

const SCHEME: &str = "switch.scheme";
const ORGANISATION: &str = "switch.organisation";
const MEMORY: &str = "switch.port_memory_bytes";
const CELL: &str = "switch.cell_bytes";
const PACKET: &str = "link.packet_bytes";
const VCS: &str = "switch.vcs";
const REPLY_VCS: &str = "endnode.reply_vcs";
const ALGORITHM: &str = "routing.algorithm";
const UP_CHOICE: &str = "routing.up_choice";

/// The switch of a scenario; `None` with an error in `errors`.
pub(crate) fn switch(
    settings: &Settings,
    shape: &Shape,
    time_base: &TimeBase,
    errors: &mut Vec<ScenarioError>,
) -> Option<SwitchConfig> {
    let (organisation, scheme) = kinds(settings)?;
    let before = errors.len();
    let is_hierarchical = shape.plan.is_some();
    if is_hierarchical && organisation == Organisation::Oq {
        errors.push(settings.refuse(
            settings.first_given(&[ORGANISATION, "network.topology"]),
            "\"oq\" in a hierarchical network: its nodes choose the output of a packet at their inputs",
            "legal: iq, cioq",
        ));
        return None;
    }
    if is_hierarchical && !scheme.allows_choice() && scheme != SchemeKind::Pfc {
        errors.push(hierarchical::refuse_scheme(settings, scheme));
        return None;
    }
    if organisation == Organisation::Oq
        && scheme != SchemeKind::OneQueue
        && scheme != SchemeKind::Pfc
    {
        errors.push(settings.refuse(
            settings.first_given(&[SCHEME, ORGANISATION]),
            format!("`{scheme}` with switch.organisation = \"oq\", the reference for theory"),
            "legal with oq: 1q; this scheme needs switch.organisation = \"cioq\"",
        ));
    }
    let needs_outputs =
        matches!(scheme, SchemeKind::RecnBasic | SchemeKind::Recn | SchemeKind::RecnDd);
    if organisation == Organisation::Iq && needs_outputs {
        errors.push(settings.refuse(
            settings.first_given(&[SCHEME, ORGANISATION]),
            format!("`{scheme}` with switch.organisation = \"iq\": it needs memories at inputs and outputs"),
            format!("legal with iq: 1q, voq-sw, voq-net, dbbm, damq, recn-dd-iq; {scheme} needs switch.organisation = \"cioq\""),
        ));
    }
    if organisation == Organisation::Cioq && scheme == SchemeKind::RecnDdIq {
        errors.push(settings.refuse(
            settings.first_given(&[SCHEME, ORGANISATION]),
            "`recn-dd-iq` with switch.organisation = \"cioq\": it has memories at inputs only",
            "legal: switch.organisation = \"iq\", or switch.scheme = \"recn-dd\"",
        ));
    }
    channels(settings, organisation, scheme, errors);
    let order = ecn::order(settings, (organisation, scheme), errors);
    let ecn = ecn::switch(settings, organisation, is_hierarchical, time_base, errors);
    let pfc = pfc::switch(settings, organisation, is_hierarchical, time_base, errors);
    let config = SwitchConfig {
        pfc,
        input_multicast_read: order.input_multicast_read,
        max_bypass: order.max_bypass,
        ecn,
        adaptive: hierarchical::adaptive(settings, shape),
        faults: crate::faults::any(settings),
        organisation,
        scheme,
        arbiter: settings.word("switch.arbiter").parse().ok()?,
        wait_bound_packets: settings
            .integer("switch.wait_bound_packets")
            .map(|_| settings.small("switch.wait_bound_packets")),
        saq_priority: settings.word("switch.saq_priority").parse().ok()?,
        switching: settings.word("switch.switching").parse().ok()?,
        port_memory_bytes: settings.small(MEMORY),
        cell_bytes: settings.small(CELL),
        vcs: u8::try_from(settings.small(VCS)).unwrap_or(topology::VCS_MAX),
        reply_vcs: settings.flag(REPLY_VCS),
        dbbm_queues: settings.small("dbbm.queues"),
        voq_sw_output: settings.word("voq_sw.output").parse().ok()?,
        voq_net_memory: settings.word("voq_net.memory").parse().ok()?,
        crossbar_overhead_bytes: settings.small("switch.crossbar_overhead_bytes"),
        stages: stages(settings),
        recn: recn(settings, time_base, errors)?,
    };
    memory(settings, &config, shape, errors);
    (errors.len() == before).then_some(config)
}

/// What goes with more than one virtual channel, and with tables (spec recn.md, Where RECN
/// applies).
fn channels(
    settings: &Settings,
    organisation: Organisation,
    scheme: SchemeKind,
    errors: &mut Vec<ScenarioError>,
) {
    let vcs = settings.small(VCS);
    let is_recn = scheme.version().is_some();
    if vcs > 1 && (is_recn || scheme == SchemeKind::Damq) {
        errors.push(settings.refuse(
            settings.first_given(&[VCS, SCHEME]),
            format!(
                "{vcs} virtual channels with `{scheme}`: its shared pool would join them and lock"
            ),
            format!("legal with {scheme}: switch.vcs = 1; more with 1q, voq-sw, voq-net, dbbm"),
        ));
    }
    let most = u32::from(topology::VCS_MAX);
    if settings.flag(REPLY_VCS) && 2 * vcs > most {
        errors.push(settings.refuse(
            settings.first_given(&[REPLY_VCS, VCS, "routing.vc_scheme", ALGORITHM]),
            format!("{vcs} virtual channels and as many for replies are {}", 2 * vcs),
            format!("legal: {most} together, so switch.vcs up to {}", most / 2),
        ));
    }
    if vcs > 1 && organisation == Organisation::Oq {
        errors.push(settings.refuse(
            settings.first_given(&[VCS, ORGANISATION]),
            format!(
                "{vcs} virtual channels with switch.organisation = \"oq\", the reference for theory"
            ),
            "legal with oq: switch.vcs = 1; more with cioq and iq",
        ));
    }
    if settings.word(ALGORITHM) != "table" {
        return;
    }
    if is_recn {
        errors.push(settings.refuse(
            settings.first_given(&[ALGORITHM, SCHEME]),
            format!("tables with `{scheme}`, which names congested points by turns"),
            format!("legal with {scheme}: routing.algorithm = \"turns\""),
        ));
    }
    if settings.word(UP_CHOICE) == "source" {
        errors.push(settings.refuse(
            settings.first_given(&[UP_CHOICE, ALGORITHM]),
            "up ports by source with routing.algorithm = \"table\", which looks destinations up",
            "legal with tables: routing.up_choice = \"destination\"",
        ));
    }
}

fn memory(
    settings: &Settings,
    config: &SwitchConfig,
    shape: &Shape,
    errors: &mut Vec<ScenarioError>,
) {
    let packet_bytes = settings.small(PACKET);
    let cells = config.port_memory_bytes / config.cell_bytes;
    let packet_cells = packet_bytes.div_ceil(config.cell_bytes);
    if cells > CELLS_MAX {
        errors.push(settings.refuse(
            settings.first_given(&[MEMORY, CELL]),
            format!(
                "{} bytes in cells of {} bytes are {cells} cells",
                config.port_memory_bytes, config.cell_bytes
            ),
            format!(
                "legal: up to {CELLS_MAX} cells a port memory, or larger cells (switch.cell_bytes)"
            ),
        ));
        return;
    }
    if config.organisation == Organisation::Oq
        && u64::from(cells) * u64::from(shape.ports) > u64::from(CELLS_MAX)
    {
        errors.push(settings.refuse(
            settings.first_given(&[MEMORY, CELL, ORGANISATION]),
            format!("with oq an output memory has {cells} cells for each of {} inputs", shape.ports),
            format!("legal: up to {CELLS_MAX} cells in all, so a smaller switch.port_memory_bytes or larger cells"),
        ));
        return;
    }
    if cells < packet_cells {
        errors.push(settings.refuse(
            settings.first_given(&[MEMORY, PACKET, CELL]),
            format!("a port memory of {} bytes ({cells} cells of {}) does not hold one packet of {packet_bytes} bytes", config.port_memory_bytes, config.cell_bytes),
            "legal: at least one packet (link.packet_bytes) in whole cells",
        ));
        return;
    }
    let Share { queues, least, help } = share(config, shape, packet_cells);
    // "A VC has its own static share of the memory" (switch.md).
    let queues = queues * u32::from(config.all_vcs());
    let mut memory = cells / queues;
    let grows = config.scheme == SchemeKind::VoqNet && config.voq_net_memory == VoqNetMemory::Grow;
    if grows {
        let needed = u64::from(queues) * u64::from(least);
        memory = memory.max(least);
        if needed > u64::from(CELLS_MAX) {
            errors.push(settings.refuse(
                settings.first_given(&["voq_net.memory", SCHEME]),
                format!("two packets for each of {queues} destinations are {needed} cells a port"),
                format!("legal: up to {CELLS_MAX} cells, so larger cells or fewer nodes"),
            ));
        }
    } else if cells / queues < least {
        let channels = match config.vcs {
            1 => String::new(),
            vcs => format!(" (in {vcs} virtual channels)"),
        };
        let packets = if least == packet_cells { "one packet" } else { "two packets" };
        errors.push(settings.refuse(
            settings.first_given(&[MEMORY, "dbbm.queues", VCS, SCHEME]),
            format!(
                "`{}` splits a port memory of {cells} cells into {queues} queues of {}{channels}, where a queue needs {least} ({packets})",
                config.scheme,
                cells / queues
            ),
            format!("legal: switch.port_memory_bytes from {} on{help}", u64::from(queues) * u64::from(least) * u64::from(config.cell_bytes)),
        ));
        return;
    }
    ecn::threshold(settings, memory / packet_cells.max(1), queues, errors);
}

/// How a scheme splits a port memory.
struct Share {
    queues: u32,
    /// Cells that a queue needs.
    least: u32,
    help: &'static str,
}

fn share(config: &SwitchConfig, shape: &Shape, packet_cells: u32) -> Share {
    let split = |queues, least, help| Share { queues, least, help };
    match config.scheme {
        // All three voq_sw.output: the inputs have a queue for each output, and no output has more.
        SchemeKind::VoqSw => split(shape.ports, packet_cells, ""),
        SchemeKind::VoqNet => {
            split(shape.nodes, 2 * packet_cells, ", or voq_net.memory = \"grow\"")
        }
        SchemeKind::Dbbm => split(config.dbbm_queues, packet_cells, ", or fewer dbbm.queues"),
        _ => split(1, packet_cells, ""),
    }
}

/// `[recn]` in ticks and packets.
fn recn(
    settings: &Settings,
    time_base: &TimeBase,
    errors: &mut Vec<ScenarioError>,
) -> Option<RecnConfig> {
    let xoff = settings.small("recn.xoff_packets");
    let xon = settings.small("recn.xon_packets");
    let propagation = settings.small("recn.propagation_packets");
    if propagation > xoff {
        errors.push(settings.refuse(
            settings.first_given(&["recn.propagation_packets", "recn.xoff_packets"]),
            format!("propagation at {propagation} packets is above Xoff at {xoff}: congestion would never spread as a tree"),
            format!("legal: recn.propagation_packets from 0 to {xoff}"),
        ));
    }
    let edge_word = settings.word("recn.xon_edge");
    let edge = Edge::from_str(edge_word).unwrap_or_default();
    let thresholds = match Thresholds::new(xoff, xon, edge) {
        Ok(thresholds) => Some(thresholds),
        Err(error) => {
            let (paths, help) = match error {
                flow_control::ThresholdError::XonNeverBelow => (
                    ["recn.xon_packets", "recn.xon_edge"],
                    "legal: recn.xon_packets of 1 or more, or recn.xon_edge = \"reached\""
                        .to_owned(),
                ),
                _ => (
                    ["recn.xon_packets", "recn.xoff_packets"],
                    format!("legal: recn.xon_packets from 0 to {xoff}"),
                ),
            };
            errors.push(settings.refuse(settings.first_given(&paths), error.to_string(), help));
            None
        }
    };
    let rules = SchemeKind::from_str(settings.word("switch.scheme"))
        .ok()
        .and_then(SchemeKind::version)
        .map(Rules::of);
    let mut time = |path: &str, used: bool| match settings.ratio(path) {
        // A default that nobody reads must not force the user to set it.
        Some(ns) if !used && !settings.given(path) => {
            time_base.ns_to_ticks_ceil(ns.num() / ns.den())
        }
        ns => ticks(settings, path, ns, time_base, errors),
    };
    let (tokens, moves) = (rules.is_some_and(|r| r.tokens), rules.is_some_and(|r| r.moves()));
    let saq_timer = time("recn.saq_timer_ns", rules.is_some());
    let retry = time("recn.retry_ns", tokens);
    let xoff_repeat = time("recn.xoff_repeat_ns", rules.is_some() && !tokens);
    let ppu_interval = time("recn.ppu_interval_ns", moves);
    Some(RecnConfig {
        saqs: u8::try_from(settings.small("recn.saqs")).unwrap_or(64),
        detection_egress_packets: settings.small("recn.detection_egress_packets"),
        detection_ingress_packets: settings.small("recn.detection_ingress_packets"),
        propagation_packets: propagation,
        thresholds: thresholds?,
        saq_timer,
        retry,
        xoff_repeat,
        ppu_interval,
        iq_egress_lines: settings.flag("recn.iq_egress_lines"),
        root_xoff_packets: settings
            .integer("recn.root_xoff_packets")
            .map(|_| settings.small("recn.root_xoff_packets")),
    })
}

/// `[switch.stages]`.
fn stages(settings: &Settings) -> StageLatencies {
    let stage = |name: &str| settings.small(&format!("switch.stages.{name}"));
    StageLatencies {
        route: stage("route"),
        lookup: stage("lookup"),
        enqueue: stage("enqueue"),
        arbitration: stage("arbitration"),
        crossbar: stage("crossbar"),
        credit_return: stage("credit_return"),
    }
}

/// Organisation and scheme; the table of keys lets only their names pass.
fn kinds(settings: &Settings) -> Option<(Organisation, SchemeKind)> {
    let organisation = settings.word("switch.organisation").parse().ok()?;
    let scheme = settings.word("switch.scheme").parse().ok()?;
    Some((organisation, scheme))
}
