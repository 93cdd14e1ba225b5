//! The section `[link]`.

use crate::error::ScenarioError;
use crate::network::{self, Shape};
use crate::settings::Settings;
use crate::times::ticks;
use plan::LinkConfig;
use topology::TopologyConfig;
use units::TimeBase;

pub(crate) fn link(
    settings: &Settings,
    shape: Option<&Shape>,
    time_base: &TimeBase,
    errors: &mut Vec<ScenarioError>,
) -> LinkConfig {
    let wire_ns = settings.ratio("link.wire_ns");
    if wire_ns.is_none() {
        errors.push(settings.refuse(
            "link.wire_ns",
            "a wire without latency",
            "legal: at least 1 tick",
        ));
    }
    let credits = settings.small("link.control_packet_bytes");
    let named = settings.small("link.named_control_bytes");
    if (credits == 0) != (named == 0) {
        errors.push(settings.refuse(
            settings.first_given(&["link.named_control_bytes", "link.control_packet_bytes"]),
            format!("control packets of {named} bytes with credit packets of {credits} bytes"),
            "legal: both 0 (out of band), or both above 0 (in band)",
        ));
    }
    let wire_overrides = match shape.map(|shape| &shape.config) {
        Some(TopologyConfig::File { edges }) => network::wires(settings, edges, time_base, errors),
        _ => Vec::new(),
    };
    LinkConfig {
        wire: ticks(settings, "link.wire_ns", wire_ns, time_base, errors),
        wire_overrides,
        control_packet_bytes: credits,
        named_control_bytes: named,
    }
}
