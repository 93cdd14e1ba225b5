//! The section `[dcqcn]`: how a source answers CNPs, and when CNPs go out (spec: pfc.md, DCQCN).

use crate::draft::{Draft, Gate};
use crate::keys::Fallback::{Integer, Ns, Ratio as Part};
use crate::settings::Settings;
use ecn::response::{Dcqcn, DcqcnError};
use plan::CnpConfig;
use units::Ratio;

pub(crate) const CNP_BYTES: &str = "dcqcn.cnp_bytes";
const G: &str = "dcqcn.g";
const ALPHA_TIMER: &str = "dcqcn.alpha_timer_ns";
const RATE_TIMER: &str = "dcqcn.rate_timer_ns";
const BYTE_COUNTER: &str = "dcqcn.byte_counter_bytes";
const ADDITIVE: &str = "dcqcn.additive_increase";
const HYPER: &str = "dcqcn.hyper_increase";
const LOWEST: &str = "dcqcn.lowest_rate";

/// Its keys, with the published parameters (`zhu-dcqcn-2015`).
pub(crate) const GATE: Gate = Gate {
    is_open: is_on,
    keys: &[
        ("dcqcn.cnp_interval_ns", Ns(50_000)),
        (CNP_BYTES, Integer(20)),
        (G, Part(1, 256)),
        (ALPHA_TIMER, Ns(55_000)),
        (RATE_TIMER, Ns(55_000)),
        (BYTE_COUNTER, Integer(10_000_000)),
        ("dcqcn.fast_recovery", Integer(5)),
        (ADDITIVE, Part(1, 1000)),
        (HYPER, Part(1, 100)),
        (LOWEST, Part(1, 1000)),
    ],
    or: None,
    what: "it has no meaning with ecn.response = {ecn.response}",
    help: "legal with ecn.response = \"dcqcn\"",
};

pub(crate) fn is_on(settings: &Settings) -> bool {
    settings.word("ecn.response") == "dcqcn"
}

pub(crate) fn cnps(draft: &Draft) -> Option<CnpConfig> {
    if !is_on(draft) {
        return None;
    }
    let (bytes, packet) = (draft.small(CNP_BYTES), draft.small("link.packet_bytes"));
    if bytes > packet {
        let what = format!("CNPs of {bytes} bytes are longer than packets of {packet} bytes");
        let help = format!("legal: {CNP_BYTES} from 1 to {packet}");
        draft.refuse(&[CNP_BYTES, "link.packet_bytes"], what, help);
    }
    Some(CnpConfig { bytes, interval: draft.ticks("dcqcn.cnp_interval_ns") })
}

pub(crate) fn response(draft: &Draft) -> Option<Dcqcn> {
    let before = draft.found();
    let (alpha_timer, rate_timer) = (draft.ticks(ALPHA_TIMER), draft.ticks(RATE_TIMER));
    if draft.found() > before {
        return None;
    }
    let ratio = |path: &str| draft.ratio(path).unwrap_or(Ratio::ONE);
    let refuse = |path: &str, error: DcqcnError| draft.refuse_as(&[path], &error, "more than 0");
    let timer = if alpha_timer.is_zero() { ALPHA_TIMER } else { RATE_TIMER };
    let dcqcn = Dcqcn::new(alpha_timer, rate_timer).map_err(|e| refuse(timer, e)).ok()?;
    let dcqcn = dcqcn.with_g(ratio(G)).map_err(|e| refuse(G, e)).ok()?;
    let dcqcn = dcqcn.with_additive(ratio(ADDITIVE)).map_err(|e| refuse(ADDITIVE, e)).ok()?;
    let dcqcn = dcqcn.with_hyper(ratio(HYPER)).map_err(|e| refuse(HYPER, e)).ok()?;
    let dcqcn = dcqcn.with_lowest_rate(ratio(LOWEST)).map_err(|e| refuse(LOWEST, e)).ok()?;
    let bytes = draft.integer(BYTE_COUNTER).unwrap_or(0);
    let dcqcn = dcqcn.with_byte_counter(bytes).map_err(|e| refuse(BYTE_COUNTER, e)).ok()?;
    Some(dcqcn.with_fast_recovery(draft.small("dcqcn.fast_recovery")))
}
