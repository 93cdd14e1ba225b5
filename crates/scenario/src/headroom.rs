//! Pause and the memory of a port: thresholds that follow from it, and whether it holds what may
//! come after PAUSE is wanted (spec: pfc.md).

use crate::error::ScenarioError;
use crate::network::Shape;
use crate::pfc::{PACKET, PAUSE, QUANTA, SCHEME, VCS, XOFF, XON, is_on};
use crate::plain::Plain;
use crate::settings::Settings;
use crate::{hardware, link};
use plan::{Common, ConfigError, LinkConfig, Params, SwitchConfig};
use units::{Span, TimeBase};

const MEMORY: &str = "switch.port_memory_bytes";
const WIRE: &str = "link.wire_ns";

/// RESUME so many of the largest packets below PAUSE [paper zhu-dcqcn-2015].
const XON_PACKETS: u64 = 2;

/// Fills in thresholds that are not given: PAUSE as late as the memory of a VC allows, RESUME two
/// packets below.
pub(crate) fn thresholds(settings: &mut Settings, shape: &Shape, time_base: &TimeBase) {
    if !is_on(settings) {
        return;
    }
    let mut scratch = Vec::new();
    let link = link::link(settings, Some(shape), time_base, &mut scratch);
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
