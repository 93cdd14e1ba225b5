//! Times in ticks: the base clock, and what is no whole number of its ticks.

use crate::error::ScenarioError;
use crate::network::Shape;
use crate::settings::Settings;
use units::{Ratio, Span, TimeBase, TimeBaseError};

pub(crate) fn time_base(
    settings: &Settings,
    shape: Option<&Shape>,
    errors: &mut Vec<ScenarioError>,
) -> Option<TimeBase> {
    const SPEEDUP: &str = "switch.speedup";
    let mut speedup = settings.ratio(SPEEDUP).unwrap_or(Ratio::ONE);
    let organisation = settings.word("switch.organisation");
    let before = errors.len();
    if organisation == "iq" && speedup != Ratio::ONE {
        errors.push(settings.refuse(
            settings.first_given(&[SPEEDUP, "switch.organisation"]),
            format!("a speedup of {speedup} with switch.organisation = \"iq\", where a packet leaves at the rate of the link"),
            "legal: switch.speedup = 1, or switch.organisation = \"cioq\"",
        ));
    }
    if organisation == "oq" {
        // "speedup = number of ports": the organisation says so, the key may repeat it.
        let ports = shape.map(|shape| u64::from(shape.ports));
        let all = ports.and_then(|ports| Ratio::new(ports, 1).ok());
        if speedup != Ratio::ONE && all.is_some_and(|all| all != speedup) {
            errors.push(settings.refuse(
                settings.first_given(&[SPEEDUP, "switch.organisation"]),
                format!("a speedup of {speedup} with switch.organisation = \"oq\", whose outputs take a packet from every input at once"),
                "legal: switch.speedup = 1 or the number of ports, or switch.organisation = \"cioq\"",
            ));
        }
        speedup = Ratio::ONE;
    }
    let rate = settings.ratio("link.rate_bytes_per_ns").unwrap_or(Ratio::ONE);
    match TimeBase::new(settings.small("link.phit_bytes"), rate, speedup) {
        Ok(time_base) if errors.len() == before => Some(time_base),
        Ok(_) => None,
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
            errors.push(settings.refuse(path, error.to_string(), help));
            None
        }
    }
}

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
