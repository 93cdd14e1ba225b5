//! The section `[pfc]`: pause per VC in the place of credits (spec: pfc.md).
//!
//! Its keys have a meaning with `switch.scheme = "pfc"` alone. Thresholds that are not given follow
//! from the memory and the longest link; a memory in which a VC could overflow is refused.

use crate::error::ScenarioError;
use crate::plain::Plain;
use crate::settings::{Settings, join};
use crate::times::ticks;
use flow_control::LinkLoop;
use plan::{Organisation, PfcConfig};
use units::TimeBase;

pub(crate) const SCHEME: &str = "switch.scheme";
const ORGANISATION: &str = "switch.organisation";
const CELL: &str = "switch.cell_bytes";
pub(crate) const VCS: &str = "switch.vcs";
pub(crate) const PACKET: &str = "link.packet_bytes";
const QUEUES: &str = "pfc.queues";
pub(crate) const XOFF: &str = "pfc.xoff_bytes";
pub(crate) const XON: &str = "pfc.xon_bytes";
pub(crate) const PAUSE: &str = "pfc.pause_bytes";
pub(crate) const QUANTA: &str = "pfc.quanta_ns";

const KEYS: &[&str] = &[QUEUES, XOFF, XON, PAUSE, QUANTA];

/// The least Ethernet frame.
const PAUSE_BYTES: u64 = 64;

pub(crate) fn is_on(settings: &Settings) -> bool {
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
        quanta: ticks(settings, QUANTA, quanta, time_base, errors),
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
