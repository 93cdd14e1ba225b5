//! Times in ticks, and what is no whole number of them.

use crate::error::ScenarioError;
use crate::settings::Settings;
use units::{Ratio, Span, TimeBase};

/// A time in ticks; what is no whole number of them is refused with the nearest whole ns that are.
pub(crate) fn ticks(
    settings: &Settings,
    path: &str,
    ns: Option<Ratio>,
    time_base: &TimeBase,
    errors: &mut Vec<ScenarioError>,
) -> Span {
    let Some(ns) = ns else {
        return Span::ZERO;
    };
    match time_base.ns_to_ticks_exact(ns) {
        Ok(ticks) => ticks,
        Err(error) => {
            let default = if settings.given(path) { "" } else { "the default of " };
            let shown = crate::plain::Plain::Ratio(Some(ns)).toml();
            let what = format!(
                "{default}{shown} ns is not a whole number of ticks of {} ns",
                error.tick_ns
            );
            errors.push(settings.refuse(path, what, nearest_ns(ns, time_base)));
            Span::ZERO
        }
    }
}

/// Whole ns around `ns` that are whole ticks: the multiples of the denominator of ticks per ns.
pub(crate) fn nearest_ns(ns: Ratio, time_base: &TimeBase) -> String {
    let unit = u128::from(time_base.ticks_per_ns().den());
    let below = u128::from(ns.num()) / u128::from(ns.den()) / unit * unit;
    let above = below + unit;
    let ticks = above * u128::from(time_base.ticks_per_ns().num()) / unit;
    if u64::try_from(ticks).is_err() {
        return "legal: what 64 bits of ticks hold".to_owned();
    }
    let near = if below == 0 { above.to_string() } else { format!("{below} and {above}") };
    format!(
        "next to it: {near}; a tick follows from link.phit_bytes, link.rate_bytes_per_ns and switch.speedup"
    )
}
