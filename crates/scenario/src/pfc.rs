//! The section `[pfc]`: pause per VC in the place of credits (spec: pfc.md).
//!
//! Its keys have a meaning with `switch.scheme = "pfc"` alone. Thresholds that are not given follow
//! from the memory and the longest link; a memory in which a VC could overflow is refused.

use crate::error::ScenarioError;
use crate::hardware;
use crate::network::Shape;
use crate::plain::Plain;
use crate::settings::{Settings, join};
use flow_control::LinkLoop;
use plan::LinkConfig;
use plan::{Common, ConfigError, Organisation, Params, PfcConfig, SwitchConfig};
use units::{Span, TimeBase};

const SCHEME: &str = "switch.scheme";
const ORGANISATION: &str = "switch.organisation";
const MEMORY: &str = "switch.port_memory_bytes";
const CELL: &str = "switch.cell_bytes";
const VCS: &str = "switch.vcs";
const PACKET: &str = "link.packet_bytes";
const WIRE: &str = "link.wire_ns";
const QUEUES: &str = "pfc.queues";
const XOFF: &str = "pfc.xoff_bytes";
const XON: &str = "pfc.xon_bytes";
const PAUSE: &str = "pfc.pause_bytes";
const QUANTA: &str = "pfc.quanta_ns";

const KEYS: &[&str] = &[QUEUES, XOFF, XON, PAUSE, QUANTA];

/// The least Ethernet frame.
const PAUSE_BYTES: u64 = 64;
/// RESUME so many of the largest packets below PAUSE [paper zhu-dcqcn-2015].
const XON_PACKETS: u64 = 2;

fn is_on(settings: &Settings) -> bool {
    settings.word(SCHEME) == "pfc"
}

/// Fills in what follows from the scheme alone; refuses keys that have no meaning.
pub(crate) fn defaults(settings: &mut Settings, errors: &mut Vec<ScenarioError>) {
    if is_on(settings) {
        settings.fill(QUEUES, Plain::Word("1q".to_owned()));
        settings.fill(PAUSE, Plain::Integer(PAUSE_BYTES));
        settings.fill(QUANTA, Plain::Ratio(None));
        return;
    }
    let scheme = settings.word(SCHEME);
    for path in KEYS.iter().filter(|path| settings.given(path)) {
        errors.push(settings.refuse(
            path,
            format!("it has no meaning with {SCHEME} = \"{scheme}\""),
            format!("legal with {SCHEME} = \"pfc\""),
        ));
    }
}

/// Fills in thresholds that are not given: PAUSE as late as the memory of a VC allows, RESUME two
/// packets below.
pub(crate) fn thresholds(settings: &mut Settings, shape: &Shape, time_base: &TimeBase) {
    if !is_on(settings) {
        return;
    }
    let mut scratch = Vec::new();
    let link = crate::resolve::link(settings, Some(shape), time_base, &mut scratch);
    let switch = hardware::switch(settings, shape, time_base, &mut scratch);
    // What is wrong is refused elsewhere.
    let Some((switch, pfc)) = switch.and_then(|switch| Some((switch.clone(), switch.pfc?))) else {
        return;
    };
    let Ok(params) = params(settings, shape, time_base, &switch, &link) else {
        return;
    };
    let headroom = params.pause_loop(&pfc, longest(&link)).headroom(switch.cell_bytes);
    let most = params.vc_memory_bytes().saturating_sub(headroom);
    settings.fill(XOFF, Plain::Integer(most.max(1)));
    let xoff = settings.integer(XOFF).unwrap_or(most);
    let packets = XON_PACKETS * u64::from(settings.small(PACKET));
    settings.fill(XON, Plain::Integer(xoff.saturating_sub(packets)));
}

fn longest(link: &LinkConfig) -> Span {
    let overrides = link.wire_overrides.iter().map(|o| o.1);
    overrides.fold(link.wire, Span::max)
}

fn params(
    settings: &Settings,
    shape: &Shape,
    time_base: &TimeBase,
    switch: &SwitchConfig,
    link: &LinkConfig,
) -> Result<Params, ConfigError> {
    let common = Common {
        time_base: *time_base,
        control_packet_bytes: link.control_packet_bytes,
        named_control_bytes: link.named_control_bytes,
        packet_bytes: settings.small(PACKET),
        nodes: shape.nodes,
    };
    Params::new(switch, common)
}

/// What the switch has of it.
pub(crate) fn switch(
    settings: &Settings,
    organisation: Organisation,
    is_hierarchical: bool,
    time_base: &TimeBase,
    errors: &mut Vec<ScenarioError>,
) -> Option<PfcConfig> {
    if !is_on(settings) {
        return None;
    }
    if organisation == Organisation::Oq {
        errors.push(settings.refuse(
            settings.first_given(&[SCHEME, ORGANISATION]),
            format!("`pfc` with {ORGANISATION} = \"oq\": it pauses memories at inputs"),
            format!("legal: {ORGANISATION} = \"cioq\" or \"iq\""),
        ));
    }
    if is_hierarchical {
        errors.push(settings.refuse(
            settings.first_given(&[SCHEME, "network.topology"]),
            "`pfc` in a hierarchical network, which chooses routes by credits, is not modelled yet",
            "legal: a topology that is not hierarchical",
        ));
    }
    let quanta = settings.ratio(QUANTA);
    Some(PfcConfig {
        queues: settings.word(QUEUES).parse().ok()?,
        xoff_bytes: settings.integer(XOFF).unwrap_or(1),
        xon_bytes: settings.integer(XON).unwrap_or(0),
        pause_bytes: settings.small(PAUSE),
        quanta: crate::resolve::ticks(settings, QUANTA, quanta, time_base, errors),
        cell_bytes_per_byte: LinkLoop::cell_bytes_per_byte(settings.small(CELL), sizes(settings)),
    })
}

/// Sizes of all packets that the workload makes, and their ends.
fn sizes(settings: &Settings) -> Vec<u32> {
    let most = settings.small(PACKET);
    let mut sizes = vec![most];
    let mut add = |message: &workload::MessageBytes| sizes.extend(message.packet_bytes(most));
    for section in std::iter::once("workload".to_owned()).chain(settings.group_paths()) {
        if let Some(message) = settings.sizes(&join(&section, "message_bytes")) {
            add(&message);
        }
        if settings.integer(&join(&section, "reply_bytes")).is_some() {
            let reply = settings.small(&join(&section, "reply_bytes"));
            add(&workload::MessageBytes::Fixed(reply));
        }
    }
    sizes.extend(crate::ecn::answer_bytes(settings));
    sizes
}

/// Refuses thresholds that do not fit each other, or the memory.
pub(crate) fn check(
    settings: &Settings,
    shape: &Shape,
    time_base: &TimeBase,
    switch: &SwitchConfig,
    link: &LinkConfig,
) -> Option<ScenarioError> {
    switch.pfc?;
    let params = params(settings, shape, time_base, switch, link);
    let error = params.and_then(|params| params.check_headroom(longest(link)).map(|_| params));
    match error.err()? {
        ConfigError::Headroom(error) => {
            let vcs = u64::from(switch.all_vcs());
            let most = error.given.saturating_sub(error.headroom);
            let lower = if most > 0 { format!(", or {XOFF} up to {most}") } else { String::new() };
            let of_vc = if vcs > 1 { " for each VC" } else { "" };
            Some(settings.refuse(
                settings.first_given(&[XOFF, MEMORY, WIRE, PACKET, VCS, PAUSE, SCHEME]),
                format!(
                    "a port memory of {} bytes{of_vc} cannot hold {XOFF} = {} and the {} bytes \
                     that may come after PAUSE is wanted (headroom)",
                    error.given, error.xoff, error.headroom
                ),
                format!("legal: {MEMORY} from {} on{lower}", error.least * vcs),
            ))
        }
        ConfigError::Pause(error) => {
            let (path, legal) = match error {
                flow_control::PauseError::XonAboveXoff { xoff, .. } => {
                    (XON, format!("legal: {XON} from 0 to {xoff}"))
                }
                flow_control::PauseError::XoffZero => (XOFF, format!("legal: {XOFF} from 1 on")),
                flow_control::PauseError::QuantaShort { least, .. } => {
                    let least = time_base.span_to_ns(least).ceil();
                    (QUANTA, format!("legal: 0 (until RESUME), or {least} ns and up"))
                }
            };
            let text = error.to_string();
            let what = text.split_once("; legal").map_or(&*text, |(what, _)| what);
            Some(settings.refuse(path, what, legal))
        }
        // Refused elsewhere, key by key.
        _ => None,
    }
}
