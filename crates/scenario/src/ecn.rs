//! The section `[ecn]` and the keys of the switch that its papers need (spec: ecn.md). ECN is on
//! where any of its keys is given; keys without meaning beside the others are refused.

use crate::draft::{Draft, Gate};
use crate::keys::Fallback::{Flag, Integer, Ns, Ratio as Part, Unset, Word};
use crate::keys::{MEMORY, ORGANISATION, PACKET};
use crate::settings::Settings;
use crate::{dcqcn, hierarchical};
use ecn::marking::{Marking, Red, RedError};
use ecn::response::{Algorithm, Config, ConfigError};
use plan::{EcnConfig, EcnEndConfig, Organisation, SchemeKind};
use units::Ratio;

const MARKING: &str = "ecn.marking";
const OUTPUT_THRESHOLD: &str = "ecn.output_threshold_packets";
const INPUT_THRESHOLD: &str = "ecn.input_threshold_packets";
const BUFFER: &str = "ecn.buffer_packets";
const CALM: &str = "ecn.calm_ns";
const KMIN: &str = "ecn.red_kmin_bytes";
const KMAX: &str = "ecn.red_kmax_bytes";
const PMAX: &str = "ecn.red_pmax";
const RESPONSE: &str = "ecn.response";
const RATE_RATIO: &str = "ecn.rate_ratio";
const INITIAL_RATE: &str = "ecn.initial_rate";
const ACK_BYTES: &str = "ecn.ack_bytes";
const ARBITER: &str = "switch.arbiter";
const MULTICAST: &str = "switch.input_multicast_read";
const MAX_BYPASS: &str = "switch.max_bypass";
const FORWARDING: &str = "switch.forwarding_ns";
const ROUTE: &str = "switch.stages.route";
const WAIT_BOUND: &str = "switch.wait_bound_packets";

const WITH_MARKING: &str = "it has no meaning with ecn.marking = {ecn.marking}";

/// Keys that rules of marking and of rates have, with their defaults.
const GATES: [Gate; 5] = [
    Gate {
        is_open: |settings| !dcqcn::is_on(settings),
        keys: &[("ecn.window", Integer(1)), (ACK_BYTES, Integer(20))],
        or: None,
        what: "it has no meaning with ecn.response = {ecn.response}, which sends no ACKs",
        help: "legal with ecn.response: none, lipd, fimd, aimd",
    },
    Gate {
        is_open: |settings| settings.word(MARKING) == "input-output-triggered",
        keys: &[(OUTPUT_THRESHOLD, Unset(""))],
        or: None,
        what: WITH_MARKING,
        help: "legal with ecn.marking: input-output-triggered",
    },
    Gate {
        is_open: |settings| !matches!(settings.word(MARKING), "none" | "red"),
        keys: &[
            (INPUT_THRESHOLD, Unset("")),
            ("ecn.cut_through_occupies_slot", Flag(false)),
            (CALM, Ns(0)),
            ("ecn.waits_until", Word("start")),
        ],
        or: None,
        what: WITH_MARKING,
        help: "legal with ecn.marking: naive, input-triggered, input-output-triggered",
    },
    Gate {
        is_open: |settings| settings.word(MARKING) == "red",
        keys: &[(KMIN, Unset("")), (KMAX, Unset("")), (PMAX, Part(1, 100))],
        or: None,
        what: WITH_MARKING,
        help: "legal with ecn.marking: red",
    },
    // M [choice: ecn.md]
    Gate {
        is_open: has_rates,
        keys: &[(RATE_RATIO, Integer(512)), (INITIAL_RATE, Part(1, 1))],
        or: None,
        what: "it has no meaning with ecn.response = {ecn.response}",
        help: "legal with ecn.response: lipd, fimd, aimd",
    },
];

/// Bytes of kmin and kmax for each byte/ns: 5 KB and 200 KB at 40 Gbit/s [paper zhu-dcqcn-2015].
const KMIN_A_RATE: u64 = 1_000;
const KMAX_A_RATE: u64 = 40_000;

/// Whether packets are answered by ACKs at all.
fn is_on(settings: &Settings) -> bool {
    settings.below("ecn").chain(settings.below("dcqcn")).next().is_some()
}

fn has_rates(settings: &Settings) -> bool {
    matches!(settings.word(RESPONSE), "lipd" | "fimd" | "aimd")
}

/// Fills in what follows from other keys, before any other default.
pub(crate) fn defaults(draft: &mut Draft) {
    if draft.flag(MULTICAST) {
        draft.fill(WAIT_BOUND, "none");
    } else {
        draft.remove(MULTICAST);
    }
    if draft.word(MAX_BYPASS) == "any" {
        draft.remove(MAX_BYPASS);
    }
    forwarding(draft);
    if !is_on(draft) {
        return;
    }
    draft.fill(RESPONSE, "none");
    let marking = if dcqcn::is_on(draft) { "red" } else { "none" };
    draft.fill(MARKING, marking);
    buffer(draft);
    draft.gate(&dcqcn::GATE);
    GATES.iter().for_each(|gate| draft.gate(gate));
    match draft.word(MARKING) {
        "red" => red_defaults(draft),
        "input-output-triggered" if draft.integer(OUTPUT_THRESHOLD).is_none() => draft.refuse(
            &[OUTPUT_THRESHOLD],
            "missing; ecn.marking = \"input-output-triggered\" needs it",
            "legal: an integer of 1 or more, such as 8",
        ),
        _ => {}
    }
}

/// Refuses a key that sets others where one of those is given too.
fn refuse_both(draft: &Draft, key: &str, other: &str, sets: &str) {
    if draft.given(other) {
        let what = format!("both {key} and {other} are given");
        draft.refuse(&[key, other], what, format!("legal: one of them; {key} sets {sets}"));
    }
}

/// `ecn.buffer_packets` gives the size of a slot and how many there are.
fn buffer(draft: &mut Draft) {
    let Some(packets) = draft.integer(BUFFER) else {
        return;
    };
    for path in ["switch.cell_bytes", MEMORY] {
        refuse_both(draft, BUFFER, path, "switch.cell_bytes and switch.port_memory_bytes");
    }
    let packet = u64::from(draft.small(PACKET));
    draft.replace("switch.cell_bytes", packet);
    draft.replace(MEMORY, packets * packet);
    draft.remove(BUFFER);
}

/// Thresholds scaled with the rate of the links, at least one packet.
fn red_defaults(draft: &mut Draft) {
    let (packet, rate) = (u64::from(draft.small(PACKET)), draft.rate());
    let scaled = |bytes: u64| {
        let bytes = u128::from(bytes) * u128::from(rate.num()) / u128::from(rate.den());
        u64::try_from(bytes).unwrap_or(u64::MAX).max(packet)
    };
    draft.fill(KMIN, scaled(KMIN_A_RATE));
    let kmin = draft.integer(KMIN).unwrap_or(0);
    draft.fill(KMAX, scaled(KMAX_A_RATE).max(kmin));
}

/// `switch.forwarding_ns` is the sum of all stages of an `iq` switch: it sets the first of them.
fn forwarding(draft: &mut Draft) {
    if draft.plain(FORWARDING).is_none() {
        return;
    }
    let before = draft.found();
    refuse_both(draft, FORWARDING, ROUTE, ROUTE);
    if draft.word(ORGANISATION) != "iq" {
        let what = format!("{FORWARDING} with packets that are stored twice in a switch");
        let help = format!("legal: {ORGANISATION} = \"iq\", or the stages one by one");
        draft.refuse(&[FORWARDING, ORGANISATION], what, help);
    }
    if draft.found() > before {
        return;
    }
    let others: u64 = ["lookup", "enqueue", "arbitration", "crossbar"]
        .iter()
        .map(|stage| u64::from(draft.small(&format!("switch.stages.{stage}"))))
        .sum();
    let (phit, rate) = (u128::from(draft.small("link.phit_bytes")), draft.rate());
    // Link-phit times = ns * rate / phit.
    let (num, den) = draft.ratio(FORWARDING).map_or((0, 1), |ns| {
        let num = u128::from(ns.num()) * u128::from(rate.num());
        (num, u128::from(ns.den()) * u128::from(rate.den()) * phit)
    });
    let phits = num / den.max(1);
    let route = phits.checked_sub(others.into()).filter(|&route| route <= 1000);
    match route {
        Some(route) if num % den.max(1) == 0 => {
            draft.replace(ROUTE, route as u64);
            draft.remove(FORWARDING);
        }
        _ => draft.refuse(
            &[FORWARDING],
            format!(
                "{} ns is not a whole number of link-phit times from {others} to {}",
                draft.show(FORWARDING),
                others + 1000
            ),
            "legal: a multiple of link.phit_bytes / link.rate_bytes_per_ns; the stages lookup, enqueue, arbitration and crossbar are part of it",
        ),
    }
}

/// `switch.input_multicast_read` and `switch.max_bypass`: how packets leave an input memory.
pub(crate) fn order(draft: &Draft, organisation: Organisation, scheme: SchemeKind) {
    if draft.flag(MULTICAST) {
        if organisation != Organisation::Iq {
            let what = format!("{MULTICAST} with {ORGANISATION} = \"{organisation}\"");
            let help = format!("legal: {ORGANISATION} = \"iq\"");
            draft.refuse(&[MULTICAST, ORGANISATION], what, help);
        }
        let arbiter = draft.word(ARBITER);
        if arbiter != "oldest-first" {
            let what = format!("{MULTICAST} leaves {ARBITER} = \"{arbiter}\" nothing to match");
            let help = format!("legal: {ARBITER} = \"oldest-first\"");
            draft.refuse(&[MULTICAST, ARBITER], what, help);
        }
        if draft.integer(WAIT_BOUND).is_some() {
            let what = "inputs that serve several outputs at once cannot be reserved";
            let help = format!("legal with {MULTICAST}: {WAIT_BOUND} = \"none\"");
            draft.refuse(&[WAIT_BOUND, MULTICAST], what, help);
        }
    }
    let legal = match (organisation, scheme) {
        _ if draft.number(MAX_BYPASS).is_none() => None,
        (Organisation::Oq, _) => Some("switch.organisation = \"iq\" or \"cioq\""),
        (_, SchemeKind::OneQueue) => {
            Some("switch.scheme = \"damq\" or another with several queues")
        }
        _ => None,
    };
    if let Some(legal) = legal {
        let what = format!("{MAX_BYPASS} where no packet can pass another in an input memory");
        let blamed = [MAX_BYPASS, "switch.scheme", ORGANISATION];
        draft.refuse(&blamed, what, format!("legal: {legal}"));
    }
}

/// Refuses a threshold that no input memory, or its share for each of `queues`, can reach.
pub(crate) fn threshold(draft: &Draft, packets: u32, queues: u32) {
    let Some(threshold) = draft.number(INPUT_THRESHOLD).filter(|&given| given > packets) else {
        return;
    };
    let share = match queues {
        1 => String::new(),
        queues => format!(", one of {queues} shares of a port"),
    };
    let what = format!("{threshold} packets never are in a memory of {packets}{share}");
    let help = format!("legal: an integer from 1 to {packets}");
    draft.refuse(&[INPUT_THRESHOLD, MEMORY], what, help);
}

pub(crate) fn switch(draft: &Draft, organisation: Organisation) -> Option<EcnConfig> {
    if !is_on(draft) {
        return None;
    }
    if hierarchical::local(draft).is_some() {
        let keys = crate::keys::SCENARIO.iter().map(|key| key.path);
        let keys: Vec<&str> = keys.filter(|path| path.starts_with("ecn.")).collect();
        draft.refuse(
            &keys,
            "ECN with two-level routing, which chooses the output of a packet at each hop, is not modelled yet",
            "legal: a topology that is not hierarchical",
        );
    }
    let rule = draft.word(MARKING);
    let marking = match rule {
        "none" => Some(Marking::None),
        "naive" => Some(Marking::Naive),
        "input-triggered" => Some(Marking::InputTriggered),
        "input-output-triggered" => {
            Some(Marking::InputOutputTriggered { output_threshold: draft.small(OUTPUT_THRESHOLD) })
        }
        "red" => red(draft).map(Marking::Red),
        _ => return None,
    };
    let refused = match (rule, organisation) {
        ("none", _) | ("red", Organisation::Cioq) => None,
        ("red", _) => Some(("outputs", "\"cioq\"")),
        (_, Organisation::Oq) => Some(("inputs", "\"iq\" or \"cioq\"")),
        _ => None,
    };
    if let Some((needs, legal)) = refused {
        draft.refuse(
            &[MARKING, ORGANISATION],
            format!(
                "\"{rule}\" with {ORGANISATION} = \"{organisation}\": it looks at memories at {needs}"
            ),
            format!("legal with {rule}: {ORGANISATION} = {legal}"),
        );
    }
    let is_calm = draft.ratio(CALM).is_some() && rule != "red";
    if organisation == Organisation::Cioq && is_calm {
        let what =
            format!("inputs of {ORGANISATION} = \"cioq\" are not told when a link was blocked");
        let help = format!("legal with {CALM}: {ORGANISATION} = \"iq\"");
        draft.refuse(&[CALM, ORGANISATION], what, help);
    }
    Some(EcnConfig {
        marking: marking?,
        cut_through_occupies_slot: draft.flag("ecn.cut_through_occupies_slot"),
        input_threshold_packets: draft.number(INPUT_THRESHOLD),
        calm: draft.ticks(CALM),
        waits_until: draft.named("ecn.waits_until"),
    })
}

fn red(draft: &Draft) -> Option<Red> {
    let red = Red::new(draft.small(KMIN), draft.small(KMAX), draft.ratio(PMAX)?);
    red.map_err(|error| {
        let blamed: &[&str] = match error {
            RedError::KminAboveKmax { .. } => &[KMIN, KMAX],
            _ => &[PMAX],
        };
        draft.refuse_as(blamed, &error, "");
    })
    .ok()
}

pub(crate) fn answer_bytes(settings: &Settings) -> Option<u32> {
    settings.number(if dcqcn::is_on(settings) { dcqcn::CNP_BYTES } else { ACK_BYTES })
}

pub(crate) fn endnode(draft: &Draft) -> Option<EcnEndConfig> {
    let time_base = draft.time_base?;
    if !is_on(draft) {
        return None;
    }
    let (ack_bytes, packet) = (draft.small(ACK_BYTES), draft.small(PACKET));
    if ack_bytes > packet {
        let what = format!("ACKs of {ack_bytes} bytes are longer than packets of {packet} bytes");
        let help = format!("legal: {ACK_BYTES} from 1 to {packet}");
        draft.refuse(&[ACK_BYTES, PACKET], what, help);
    }
    let rate_ratio = draft.small(RATE_RATIO);
    let algorithm = match draft.word(RESPONSE) {
        "none" => Algorithm::None,
        "lipd" => Algorithm::Lipd { rate_ratio },
        "fimd" => Algorithm::Fimd { rate_ratio },
        "aimd" => Algorithm::Aimd { rate_ratio },
        "dcqcn" => Algorithm::Dcqcn(dcqcn::response(draft)?),
        _ => return None,
    };
    let phit = u64::from(draft.small("link.phit_bytes"));
    let ticks_per_byte = Ratio::new(time_base.link_phit_ticks().0, phit).ok()?;
    let initial = draft.ratio(INITIAL_RATE).filter(|_| has_rates(draft)).unwrap_or(Ratio::ONE);
    let response = Config::new(algorithm, draft.number("ecn.window"), ticks_per_byte)
        .and_then(|response| response.with_initial_rate(initial));
    match response {
        Ok(response) => Some(EcnEndConfig { ack_bytes, cnps: dcqcn::cnps(draft), response }),
        Err(error) => {
            let blamed: &[&str] = match error {
                ConfigError::InitialRate { .. } => &[INITIAL_RATE, RATE_RATIO],
                _ => &[RESPONSE],
            };
            let text = error.to_string();
            let (what, legal) = text.split_once("; ").unwrap_or((&text, ""));
            draft.refuse(blamed, what, legal);
            None
        }
    }
}
