//! The section `[link]`, and the base clock: what a tick is.

use crate::draft::Draft;
use crate::keys::ORGANISATION;
use crate::network::{self, Shape};
use plan::LinkConfig;
use topology::TopologyConfig;
use units::{Ratio, TimeBase, TimeBaseError};

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
