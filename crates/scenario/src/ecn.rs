//! The section `[ecn]`, and the keys of the switch that its papers need: the order in which packets
//! leave an input memory, and the forwarding delay (spec: ecn.md).
//!
//! ECN is on where any of its keys is given. Keys that have no meaning with the others are refused.

use crate::dcqcn;
use crate::error::ScenarioError;
use crate::plain::Plain;
use crate::settings::Settings;
use crate::times::ticks;
use ecn::marking::{Marking, MarkingRule, Red};
use ecn::response::{Algorithm, Config, ConfigError};
use plan::EcnEndConfig;
use plan::{EcnConfig, Organisation, SchemeKind};
use units::{Ratio, TimeBase};

const MARKING: &str = "ecn.marking";
const OUTPUT_THRESHOLD: &str = "ecn.output_threshold_packets";
const INPUT_THRESHOLD: &str = "ecn.input_threshold_packets";
const BUFFER: &str = "ecn.buffer_packets";
const OCCUPIES: &str = "ecn.cut_through_occupies_slot";
const CALM: &str = "ecn.calm_ns";
const KMIN: &str = "ecn.red_kmin_bytes";
const KMAX: &str = "ecn.red_kmax_bytes";
const PMAX: &str = "ecn.red_pmax";
const RESPONSE: &str = "ecn.response";
const RATE_RATIO: &str = "ecn.rate_ratio";
const INITIAL_RATE: &str = "ecn.initial_rate";
const WAITS_UNTIL: &str = "ecn.waits_until";
const WINDOW: &str = "ecn.window";
const ACK_BYTES: &str = "ecn.ack_bytes";
const ORGANISATION: &str = "switch.organisation";
const ARBITER: &str = "switch.arbiter";
const MEMORY: &str = "switch.port_memory_bytes";
const CELL: &str = "switch.cell_bytes";
const PACKET: &str = "link.packet_bytes";
const MULTICAST: &str = "switch.input_multicast_read";
const MAX_BYPASS: &str = "switch.max_bypass";
const FORWARDING: &str = "switch.forwarding_ns";
const ROUTE: &str = "switch.stages.route";
const WAIT_BOUND: &str = "switch.wait_bound_packets";

const KEYS: &[&str] = &[
    MARKING,
    OUTPUT_THRESHOLD,
    INPUT_THRESHOLD,
    BUFFER,
    OCCUPIES,
    CALM,
    KMIN,
    KMAX,
    PMAX,
    RESPONSE,
    RATE_RATIO,
    INITIAL_RATE,
    WAITS_UNTIL,
    WINDOW,
    ACK_BYTES,
];

/// M, where it is not given [choice: ecn.md].
const RATE_RATIO_DEFAULT: u64 = 512;
/// Bytes of kmin and kmax for each byte/ns of the link: 5 KB and 200 KB at 40 Gbit/s [paper
/// zhu-dcqcn-2015].
const KMIN_A_RATE: u64 = 1_000;
const KMAX_A_RATE: u64 = 40_000;

/// Whether packets are answered by ACKs at all.
fn is_on(settings: &Settings) -> bool {
    let mut keys = KEYS.iter().chain(dcqcn::KEYS);
    keys.any(|path| settings.plain(path).is_some())
}

/// Fills in what follows from other keys, before any other default.
pub(crate) fn defaults(settings: &mut Settings, errors: &mut Vec<ScenarioError>) {
    if settings.flag(MULTICAST) {
        settings.fill(WAIT_BOUND, Plain::Word("none".to_owned()));
    } else {
        settings.remove(MULTICAST);
    }
    if settings.word(MAX_BYPASS) == "any" {
        settings.remove(MAX_BYPASS);
    }
    forwarding(settings, errors);
    if !is_on(settings) {
        return;
    }
    dcqcn::defaults(settings, errors);
    for (path, word) in [(MARKING, "none"), (RESPONSE, "none")] {
        settings.fill(path, Plain::Word(word.to_owned()));
    }
    if !dcqcn::is_on(settings) {
        settings.fill(WINDOW, Plain::Integer(1));
        settings.fill(ACK_BYTES, Plain::Integer(20));
    }
    buffer(settings, errors);
    meaningless(settings, errors);
    match settings.word(MARKING) {
        "red" => red_defaults(settings),
        "none" => {}
        _ => {
            settings.fill(OCCUPIES, Plain::Flag(false));
            settings.fill(CALM, Plain::Ratio(None));
            settings.fill(WAITS_UNTIL, Plain::Word("start".to_owned()));
        }
    }
    if has_rates(settings) {
        settings.fill(RATE_RATIO, Plain::Integer(RATE_RATIO_DEFAULT));
        settings.fill(INITIAL_RATE, Plain::Ratio(Some(Ratio::ONE)));
    }
}

/// `ecn.buffer_packets` says how large a slot is and how many there are.
fn buffer(settings: &mut Settings, errors: &mut Vec<ScenarioError>) {
    let Some(packets) = settings.integer(BUFFER) else {
        return;
    };
    for path in [CELL, MEMORY] {
        if settings.given(path) {
            errors.push(settings.refuse(
                settings.first_given(&[BUFFER, path]),
                format!("both {BUFFER} and {path} are given"),
                format!("legal: one of them; {BUFFER} sets {CELL} and {MEMORY}"),
            ));
        }
    }
    let packet = u64::from(settings.small(PACKET));
    settings.replace(CELL, Plain::Integer(packet));
    settings.replace(MEMORY, Plain::Integer(packets * packet));
    settings.remove(BUFFER);
}

/// Whether the response has a rate between two bounds.
fn has_rates(settings: &Settings) -> bool {
    matches!(settings.word(RESPONSE), "lipd" | "fimd" | "aimd")
}

/// Keys that another key leaves without a meaning.
fn meaningless(settings: &Settings, errors: &mut Vec<ScenarioError>) {
    let marking = settings.word(MARKING);
    let counts = !matches!(marking, "none" | "red");
    let is_red = marking == "red";
    let with_marking = [
        (OUTPUT_THRESHOLD, marking == "input-output-triggered", "input-output-triggered"),
        (INPUT_THRESHOLD, counts, "naive, input-triggered, input-output-triggered"),
        (OCCUPIES, counts, "naive, input-triggered, input-output-triggered"),
        (CALM, counts, "naive, input-triggered, input-output-triggered"),
        (WAITS_UNTIL, counts, "naive, input-triggered, input-output-triggered"),
        (KMIN, is_red, "red"),
        (KMAX, is_red, "red"),
        (PMAX, is_red, "red"),
    ];
    for (path, has_meaning, legal) in with_marking {
        if settings.given(path) && !has_meaning {
            errors.push(settings.refuse(
                path,
                format!("it has no meaning with {MARKING} = \"{marking}\""),
                format!("legal with {MARKING}: {legal}"),
            ));
        }
    }
    let response = settings.word(RESPONSE);
    for path in [RATE_RATIO, INITIAL_RATE] {
        if settings.given(path) && !has_rates(settings) {
            errors.push(settings.refuse(
                path,
                format!("it has no meaning with {RESPONSE} = \"{response}\""),
                format!("legal with {RESPONSE}: lipd, fimd, aimd"),
            ));
        }
    }
    if marking == "input-output-triggered" && settings.integer(OUTPUT_THRESHOLD).is_none() {
        errors.push(settings.refuse(
            OUTPUT_THRESHOLD,
            format!("missing; {MARKING} = \"{marking}\" needs it"),
            "legal: an integer of 1 or more, such as 8",
        ));
    }
}

/// Thresholds scaled with the rate of the links, at least one packet.
fn red_defaults(settings: &mut Settings) {
    let packet = u64::from(settings.small(PACKET));
    let rate = settings.ratio("link.rate_bytes_per_ns").unwrap_or(Ratio::ONE);
    let scaled = |bytes: u64| {
        let bytes = u128::from(bytes) * u128::from(rate.num()) / u128::from(rate.den());
        u64::try_from(bytes).unwrap_or(u64::MAX).max(packet)
    };
    settings.fill(KMIN, Plain::Integer(scaled(KMIN_A_RATE)));
    let kmin = settings.integer(KMIN).unwrap_or(0);
    settings.fill(KMAX, Plain::Integer(scaled(KMAX_A_RATE).max(kmin)));
    settings.fill(PMAX, Plain::Ratio(Ratio::new(1, 100).ok()));
}

/// `switch.forwarding_ns` is the sum of all stages of an `iq` switch: it sets the first of them.
fn forwarding(settings: &mut Settings, errors: &mut Vec<ScenarioError>) {
    if settings.plain(FORWARDING).is_none() {
        return;
    }
    let before = errors.len();
    if settings.given(ROUTE) {
        errors.push(settings.refuse(
            settings.first_given(&[FORWARDING, ROUTE]),
            format!("both {FORWARDING} and {ROUTE} are given"),
            format!("legal: one of them; {FORWARDING} sets {ROUTE}"),
        ));
    }
    if settings.word(ORGANISATION) != "iq" {
        errors.push(settings.refuse(
            settings.first_given(&[FORWARDING, ORGANISATION]),
            format!("{FORWARDING} with packets that are stored twice in a switch"),
            format!("legal: {ORGANISATION} = \"iq\", or the stages one by one"),
        ));
    }
    let others: u64 = ["lookup", "enqueue", "arbitration", "crossbar"]
        .iter()
        .map(|stage| u64::from(settings.small(&format!("switch.stages.{stage}"))))
        .sum();
    let phit = u128::from(settings.small("link.phit_bytes"));
    let rate = settings.ratio("link.rate_bytes_per_ns").unwrap_or(Ratio::ONE);
    // Link-phit times = ns * rate / phit.
    let ns = settings.ratio(FORWARDING);
    let (num, den) = ns.map_or((0, 1), |ns| {
        let num = u128::from(ns.num()) * u128::from(rate.num());
        (num, u128::from(ns.den()) * u128::from(rate.den()) * phit)
    });
    let phits = num / den.max(1);
    let route = phits.checked_sub(others.into()).filter(|&route| route <= 1000);
    match route {
        Some(route) if num % den.max(1) == 0 && errors.len() == before => {
            settings.replace(ROUTE, Plain::Integer(route as u64));
            settings.remove(FORWARDING);
        }
        _ if errors.len() > before => {}
        _ => {
            let given = settings.plain(FORWARDING).map_or(String::new(), Plain::toml);
            errors.push(settings.refuse(
                FORWARDING,
                format!("{given} ns is not a whole number of link-phit times from {others} to {}", others + 1000),
                "legal: a multiple of link.phit_bytes / link.rate_bytes_per_ns; the stages lookup, enqueue, arbitration and crossbar are part of it",
            ));
        }
    }
}

/// How packets leave an input memory.
pub(crate) struct Order {
    pub(crate) input_multicast_read: bool,
    pub(crate) max_bypass: Option<u32>,
}

/// `switch.input_multicast_read` and `switch.max_bypass`.
pub(crate) fn order(
    settings: &Settings,
    (organisation, scheme): (Organisation, SchemeKind),
    errors: &mut Vec<ScenarioError>,
) -> Order {
    let order = Order {
        input_multicast_read: settings.flag(MULTICAST),
        max_bypass: settings.integer(MAX_BYPASS).map(|_| settings.small(MAX_BYPASS)),
    };
    if order.input_multicast_read {
        if organisation != Organisation::Iq {
            errors.push(settings.refuse(
                settings.first_given(&[MULTICAST, ORGANISATION]),
                format!("{MULTICAST} with {ORGANISATION} = \"{organisation}\""),
                format!("legal: {ORGANISATION} = \"iq\""),
            ));
        }
        let arbiter = settings.word(ARBITER);
        if arbiter != "oldest-first" {
            errors.push(settings.refuse(
                settings.first_given(&[MULTICAST, ARBITER]),
                format!("{MULTICAST} leaves {ARBITER} = \"{arbiter}\" nothing to match"),
                format!("legal: {ARBITER} = \"oldest-first\""),
            ));
        }
        if settings.integer(WAIT_BOUND).is_some() {
            errors.push(settings.refuse(
                settings.first_given(&[WAIT_BOUND, MULTICAST]),
                "inputs that serve several outputs at once cannot be reserved",
                format!("legal with {MULTICAST}: {WAIT_BOUND} = \"none\""),
            ));
        }
    }
    if order.max_bypass.is_some() {
        let help = match (organisation, scheme) {
            (Organisation::Oq, _) => Some("legal: switch.organisation = \"iq\" or \"cioq\""),
            (_, SchemeKind::OneQueue) => {
                Some("legal: switch.scheme = \"damq\" or another with several queues")
            }
            _ => None,
        };
        if let Some(help) = help {
            errors.push(settings.refuse(
                settings.first_given(&[MAX_BYPASS, "switch.scheme", ORGANISATION]),
                format!("{MAX_BYPASS} where no packet can pass another in an input memory"),
                help,
            ));
        }
    }
    order
}

/// Refuses a threshold that the packets which an input memory, or each of `queues` with a share of
/// it, can hold never reach.
pub(crate) fn threshold(
    settings: &Settings,
    packets: u32,
    queues: u32,
    errors: &mut Vec<ScenarioError>,
) {
    if settings.integer(INPUT_THRESHOLD).is_none() || settings.small(INPUT_THRESHOLD) <= packets {
        return;
    }
    let share = match queues {
        1 => String::new(),
        queues => format!(", one of {queues} shares of a port"),
    };
    errors.push(settings.refuse(
        settings.first_given(&[INPUT_THRESHOLD, MEMORY]),
        format!(
            "{} packets never are in a memory of {packets}{share}",
            settings.small(INPUT_THRESHOLD)
        ),
        format!("legal: an integer from 1 to {packets}"),
    ));
}

/// Marks in switches.
pub(crate) fn switch(
    settings: &Settings,
    organisation: Organisation,
    is_hierarchical: bool,
    time_base: &TimeBase,
    errors: &mut Vec<ScenarioError>,
) -> Option<EcnConfig> {
    if !is_on(settings) {
        return None;
    }
    if is_hierarchical {
        let given = settings.first_given(KEYS);
        errors.push(settings.refuse(
            given,
            "ECN with two-level routing, which chooses the output of a packet at each hop, is not modelled yet",
            "legal: a topology that is not hierarchical",
        ));
    }
    let rule: MarkingRule = settings.word(MARKING).parse().ok()?;
    let refused = match (rule, organisation) {
        (MarkingRule::None, _) | (MarkingRule::Red, Organisation::Cioq) => None,
        (MarkingRule::Red, _) => Some(("outputs", "\"cioq\"")),
        (_, Organisation::Oq) => Some(("inputs", "\"iq\" or \"cioq\"")),
        _ => None,
    };
    if let Some((needs, legal)) = refused {
        errors.push(settings.refuse(
            settings.first_given(&[MARKING, ORGANISATION]),
            format!(
                "\"{rule}\" with {ORGANISATION} = \"{organisation}\": it looks at memories at {needs}"
            ),
            format!("legal with {rule}: {ORGANISATION} = {legal}"),
        ));
    }
    let calm = settings.ratio(CALM);
    if organisation == Organisation::Cioq && calm.is_some() && rule != MarkingRule::Red {
        errors.push(settings.refuse(
            settings.first_given(&[CALM, ORGANISATION]),
            format!("inputs of {ORGANISATION} = \"cioq\" are not told when a link was blocked"),
            format!("legal with {CALM}: {ORGANISATION} = \"iq\""),
        ));
    }
    let threshold = settings.integer(INPUT_THRESHOLD).map(|_| settings.small(INPUT_THRESHOLD));
    Some(EcnConfig {
        marking: match rule {
            MarkingRule::None => Marking::None,
            MarkingRule::Naive => Marking::Naive,
            MarkingRule::InputTriggered => Marking::InputTriggered,
            MarkingRule::InputOutputTriggered => {
                Marking::InputOutputTriggered { output_threshold: settings.small(OUTPUT_THRESHOLD) }
            }
            MarkingRule::Red => Marking::Red(red(settings, errors)?),
        },
        cut_through_occupies_slot: settings.flag(OCCUPIES),
        input_threshold_packets: threshold,
        calm: ticks(settings, CALM, calm, time_base, errors),
        waits_until: settings.word(WAITS_UNTIL).parse().unwrap_or_default(),
    })
}

fn red(settings: &Settings, errors: &mut Vec<ScenarioError>) -> Option<Red> {
    let (kmin, kmax) = (settings.small(KMIN), settings.small(KMAX));
    match Red::new(kmin, kmax, settings.ratio(PMAX)?) {
        Ok(red) => Some(red),
        Err(error) => {
            let text = error.to_string();
            let (what, legal) = text.split_once("; legal: ").unwrap_or((&text, ""));
            let blamed = settings.first_given(match error {
                ecn::marking::RedError::KminAboveKmax { .. } => &[KMIN, KMAX],
                _ => &[PMAX],
            });
            errors.push(settings.refuse(blamed, what, format!("legal: {legal}")));
            None
        }
    }
}

/// Lengths of the packets that answer others.
pub(crate) fn answer_bytes(settings: &Settings) -> Option<u32> {
    let path = if dcqcn::is_on(settings) { dcqcn::CNP_BYTES } else { ACK_BYTES };
    settings.integer(path).map(|_| settings.small(path))
}

/// ACKs and rates at end nodes.
pub(crate) fn endnode(
    settings: &Settings,
    time_base: &TimeBase,
    errors: &mut Vec<ScenarioError>,
) -> Option<EcnEndConfig> {
    if !is_on(settings) {
        return None;
    }
    let (ack_bytes, packet) = (settings.small(ACK_BYTES), settings.small(PACKET));
    if ack_bytes > packet {
        errors.push(settings.refuse(
            settings.first_given(&[ACK_BYTES, PACKET]),
            format!("ACKs of {ack_bytes} bytes are longer than packets of {packet} bytes"),
            format!("legal: {ACK_BYTES} from 1 to {packet}"),
        ));
    }
    let rate_ratio = settings.small(RATE_RATIO);
    let algorithm = match settings.word(RESPONSE) {
        "lipd" => Algorithm::Lipd { rate_ratio },
        "fimd" => Algorithm::Fimd { rate_ratio },
        "aimd" => Algorithm::Aimd { rate_ratio },
        "dcqcn" => Algorithm::Dcqcn(dcqcn::response(settings, time_base, errors)?),
        _ => Algorithm::None,
    };
    let window = settings.integer(WINDOW).map(|_| settings.small(WINDOW));
    let phit = u64::from(settings.small("link.phit_bytes"));
    let ticks_per_byte = Ratio::new(time_base.link_phit_ticks().0, phit).ok()?;
    let initial = settings.ratio(INITIAL_RATE);
    let initial = initial.filter(|_| has_rates(settings)).unwrap_or(Ratio::ONE);
    let response = Config::new(algorithm, window, ticks_per_byte)
        .and_then(|response| response.with_initial_rate(initial));
    match response {
        Ok(response) => Some(EcnEndConfig {
            ack_bytes,
            cnps: dcqcn::cnps(settings, time_base, errors),
            response,
        }),
        Err(error) => {
            let text = error.to_string();
            let (what, legal) = text.split_once("; ").unwrap_or((&text, ""));
            let blamed = match error {
                ConfigError::InitialRate { .. } => {
                    settings.first_given(&[INITIAL_RATE, RATE_RATIO])
                }
                _ => RESPONSE,
            };
            errors.push(settings.refuse(blamed, what, legal));
            None
        }
    }
}
