//! The section `[dcqcn]`: how a source answers CNPs, and when CNPs go out (spec: pfc.md, DCQCN).
//! Its keys have a meaning with `ecn.response = "dcqcn"` alone.

use crate::error::ScenarioError;
use crate::plain::Plain;
use crate::settings::Settings;
use crate::times::ticks;
use ecn::response::{Dcqcn, DcqcnError};
use plan::CnpConfig;
use units::{Ratio, Span, TimeBase};

const RESPONSE: &str = "ecn.response";
const MARKING: &str = "ecn.marking";
const PACKET: &str = "link.packet_bytes";
const CNP_INTERVAL: &str = "dcqcn.cnp_interval_ns";
pub(crate) const CNP_BYTES: &str = "dcqcn.cnp_bytes";
const G: &str = "dcqcn.g";
const ALPHA_TIMER: &str = "dcqcn.alpha_timer_ns";
const RATE_TIMER: &str = "dcqcn.rate_timer_ns";
const BYTE_COUNTER: &str = "dcqcn.byte_counter_bytes";
const FAST_RECOVERY: &str = "dcqcn.fast_recovery";
const ADDITIVE: &str = "dcqcn.additive_increase";
const HYPER: &str = "dcqcn.hyper_increase";
const LOWEST: &str = "dcqcn.lowest_rate";

pub(crate) const KEYS: &[&str] = &[
    CNP_INTERVAL,
    CNP_BYTES,
    G,
    ALPHA_TIMER,
    RATE_TIMER,
    BYTE_COUNTER,
    FAST_RECOVERY,
    ADDITIVE,
    HYPER,
    LOWEST,
];

/// Keys of ACKs, which there are none of.
const OF_ACKS: [&str; 2] = ["ecn.window", "ecn.ack_bytes"];

/// Whether sources answer CNPs.
pub(crate) fn is_on(settings: &Settings) -> bool {
    settings.word(RESPONSE) == "dcqcn"
}

/// Fills in the published parameters (`zhu-dcqcn-2015`); refuses keys that have no meaning.
pub(crate) fn defaults(settings: &mut Settings, errors: &mut Vec<ScenarioError>) {
    if !is_on(settings) {
        let response = settings.word(RESPONSE);
        let given = if response.is_empty() { "none" } else { response };
        for path in KEYS.iter().filter(|path| settings.given(path)) {
            errors.push(settings.refuse(
                path,
                format!("it has no meaning with {RESPONSE} = \"{given}\""),
                format!("legal with {RESPONSE} = \"dcqcn\""),
            ));
        }
        return;
    }
    for path in OF_ACKS.iter().filter(|path| settings.given(path)) {
        errors.push(settings.refuse(
            path,
            format!("it has no meaning with {RESPONSE} = \"dcqcn\", which sends no ACKs"),
            format!("legal with {RESPONSE}: none, lipd, fimd, aimd"),
        ));
    }
    let ns = |ns| Plain::Ratio(Ratio::new(ns, 1).ok());
    let part = |den| Plain::Ratio(Ratio::new(1, den).ok());
    settings.fill(MARKING, Plain::Word("red".to_owned()));
    settings.fill(CNP_INTERVAL, ns(50_000));
    settings.fill(CNP_BYTES, Plain::Integer(20));
    settings.fill(G, part(256));
    settings.fill(ALPHA_TIMER, ns(55_000));
    settings.fill(RATE_TIMER, ns(55_000));
    settings.fill(BYTE_COUNTER, Plain::Integer(10_000_000));
    settings.fill(FAST_RECOVERY, Plain::Integer(5));
    settings.fill(ADDITIVE, part(1000));
    settings.fill(HYPER, part(100));
    settings.fill(LOWEST, part(1000));
}

/// When CNPs go out, and how long they are.
pub(crate) fn cnps(
    settings: &Settings,
    time_base: &TimeBase,
    errors: &mut Vec<ScenarioError>,
) -> Option<CnpConfig> {
    if !is_on(settings) {
        return None;
    }
    let (bytes, packet) = (settings.small(CNP_BYTES), settings.small(PACKET));
    if bytes > packet {
        errors.push(settings.refuse(
            settings.first_given(&[CNP_BYTES, PACKET]),
            format!("CNPs of {bytes} bytes are longer than packets of {packet} bytes"),
            format!("legal: {CNP_BYTES} from 1 to {packet}"),
        ));
    }
    Some(CnpConfig { bytes, interval: time(settings, CNP_INTERVAL, time_base, errors) })
}

fn time(
    settings: &Settings,
    path: &str,
    time_base: &TimeBase,
    errors: &mut Vec<ScenarioError>,
) -> Span {
    ticks(settings, path, settings.ratio(path), time_base, errors)
}

/// How a source answers them.
pub(crate) fn response(
    settings: &Settings,
    time_base: &TimeBase,
    errors: &mut Vec<ScenarioError>,
) -> Option<Dcqcn> {
    let before = errors.len();
    let alpha_timer = time(settings, ALPHA_TIMER, time_base, errors);
    let rate_timer = time(settings, RATE_TIMER, time_base, errors);
    if errors.len() > before {
        return None;
    }
    let ratio = |path: &str| settings.ratio(path).unwrap_or(Ratio::ONE);
    let mut refuse = |path: &str, error: DcqcnError| {
        let text = error.to_string();
        let (what, legal) = match text.split_once("; legal: ") {
            Some((what, legal)) => (what, format!("legal: {legal}")),
            None => (&*text, "legal: more than 0".to_owned()),
        };
        errors.push(settings.refuse(path, what, legal));
    };
    let timer = if alpha_timer.is_zero() { ALPHA_TIMER } else { RATE_TIMER };
    let dcqcn = Dcqcn::new(alpha_timer, rate_timer).map_err(|e| refuse(timer, e)).ok()?;
    let dcqcn = dcqcn.with_g(ratio(G)).map_err(|e| refuse(G, e)).ok()?;
    let (additive, hyper) = (ratio(ADDITIVE), ratio(HYPER));
    let dcqcn = dcqcn.with_increase(additive, hyper).map_err(|e| {
        let is_hyper = matches!(e, DcqcnError::Fraction { given, .. } if given == hyper);
        refuse(if is_hyper { HYPER } else { ADDITIVE }, e);
    });
    let dcqcn = dcqcn.ok()?.with_lowest_rate(ratio(LOWEST));
    let dcqcn = dcqcn.map_err(|e| refuse(LOWEST, e)).ok()?;
    let bytes = settings.integer(BYTE_COUNTER).unwrap_or(0);
    let dcqcn = dcqcn.with_byte_counter(bytes).map_err(|e| refuse(BYTE_COUNTER, e)).ok()?;
    Some(dcqcn.with_fast_recovery(settings.small(FAST_RECOVERY)))
}
