//! The section `[pfc]` (spec: pfc.md). Thresholds that are not given follow from the memory and the
//! longest link; a memory in which a VC could overflow after PAUSE is wanted is refused.

use crate::draft::{Draft, Gate};
use crate::error::ScenarioError;
use crate::keys::{Fallback, MEMORY, PACKET, SCHEME};
use crate::network::Shape;
use crate::settings::Settings;
use crate::{ecn, hardware, hierarchical, resolve, traffic};
use flow_control::{LinkLoop, PauseError};
use plan::{ConfigError, LinkConfig, Organisation, Params, PfcConfig, SwitchConfig};
use units::{Span, TimeBase};

const XOFF: &str = "pfc.xoff_bytes";
const XON: &str = "pfc.xon_bytes";
const PAUSE: &str = "pfc.pause_bytes";
const QUANTA: &str = "pfc.quanta_ns";

/// Its keys, and what follows from the scheme alone. PAUSE has the least Ethernet frame.
pub(crate) const GATE: Gate = Gate {
    is_open: is_on,
    keys: &[
        ("pfc.queues", Fallback::Word("1q")),
        (XOFF, Fallback::Unset("")),
        (XON, Fallback::Unset("")),
        (PAUSE, Fallback::Integer(64)),
        (QUANTA, Fallback::Ns(0)),
    ],
    or: None,
    what: "it has no meaning with switch.scheme = {switch.scheme}",
    help: "legal with switch.scheme = \"pfc\"",
};

/// RESUME so many of the largest packets below PAUSE [paper zhu-dcqcn-2015].
const XON_PACKETS: u64 = 2;

fn is_on(settings: &Settings) -> bool {
    settings.word(SCHEME) == "pfc"
}

pub(crate) fn switch(draft: &Draft, organisation: Organisation) -> Option<PfcConfig> {
    if !is_on(draft) {
        return None;
    }
    if organisation == Organisation::Oq {
        let what = "`pfc` with switch.organisation = \"oq\": it pauses memories at inputs";
        let help = "legal: switch.organisation = \"cioq\" or \"iq\"";
        draft.refuse(&[SCHEME, "switch.organisation"], what, help);
    }
    if hierarchical::local(draft).is_some() {
        draft.refuse(
            &[SCHEME, "network.topology"],
            "`pfc` in a hierarchical network, which chooses routes by credits, is not modelled yet",
            "legal: a topology that is not hierarchical",
        );
    }
    let cell_bytes = draft.small("switch.cell_bytes");
    Some(PfcConfig {
        queues: draft.word("pfc.queues").parse().ok()?,
        xoff_bytes: draft.integer(XOFF).unwrap_or(1),
        xon_bytes: draft.integer(XON).unwrap_or(0),
        pause_bytes: draft.small(PAUSE),
        quanta: draft.ticks(QUANTA),
        cell_bytes_per_byte: LinkLoop::cell_bytes_per_byte(cell_bytes, sizes(draft)),
    })
}

/// Sizes of all packets that the workload makes, and their ends.
fn sizes(settings: &Settings) -> Vec<u32> {
    let most = settings.small(PACKET);
    let sent = traffic::messages(settings).flat_map(|(_, bytes)| bytes.packet_bytes(most));
    std::iter::once(most).chain(sent).chain(ecn::answer_bytes(settings)).collect()
}

/// Fills in thresholds that are not given: PAUSE as late as possible, RESUME two packets below.
pub(crate) fn thresholds(draft: &mut Draft, shape: &Shape, time_base: TimeBase) {
    if !is_on(draft) {
        return;
    }
    // What is wrong is refused elsewhere.
    let before = draft.found();
    let link = hardware::link(draft, Some(shape));
    let switch = hardware::switch(draft, shape);
    draft.forget_from(before);
    let Some((switch, pfc)) = switch.and_then(|switch| Some((switch.clone(), switch.pfc?))) else {
        return;
    };
    let Ok(params) = resolve::params(draft, shape, time_base, &switch, &link) else {
        return;
    };
    let headroom = params.pause_loop(&pfc, longest(&link)).headroom(switch.cell_bytes);
    let most = params.vc_memory_bytes().saturating_sub(headroom);
    draft.fill(XOFF, most.max(1));
    let xoff = draft.integer(XOFF).unwrap_or(most);
    let packets = XON_PACKETS * u64::from(draft.small(PACKET));
    draft.fill(XON, xoff.saturating_sub(packets));
}

fn longest(link: &LinkConfig) -> Span {
    let overrides = link.wire_overrides.iter().map(|o| o.1);
    overrides.fold(link.wire, Span::max)
}

/// Refuses thresholds that do not fit each other, or the memory.
pub(crate) fn check(
    draft: &Draft,
    switch: &SwitchConfig,
    link: &LinkConfig,
    params: &Result<Params, ConfigError>,
) -> Option<ScenarioError> {
    switch.pfc?;
    let checked = params.as_ref().map(|params| params.check_headroom(longest(link)));
    match checked.map_or_else(|error| Some(error.clone()), Result::err)? {
        ConfigError::Headroom(error) => {
            let vcs = u64::from(switch.all_vcs());
            let most = error.given.saturating_sub(error.headroom);
            let lower = if most > 0 { format!(", or {XOFF} up to {most}") } else { String::new() };
            let of_vc = if vcs > 1 { " for each VC" } else { "" };
            Some(draft.error(
                &[XOFF, MEMORY, "link.wire_ns", PACKET, "switch.vcs", PAUSE, SCHEME],
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
                PauseError::XonAboveXoff { xoff, .. } => {
                    (XON, format!("legal: {XON} from 0 to {xoff}"))
                }
                PauseError::XoffZero => (XOFF, format!("legal: {XOFF} from 1 on")),
                PauseError::QuantaShort { least, .. } => {
                    let least = draft.time_base?.span_to_ns(least).ceil();
                    (QUANTA, format!("legal: 0 (until RESUME), or {least} ns and up"))
                }
            };
            let text = error.to_string();
            let what = text.split_once("; legal").map_or(&*text, |(what, _)| what);
            Some(draft.error(&[path], what, legal))
        }
        // Refused elsewhere, key by key.
        _ => None,
    }
}
