//! The base clock: what a tick is.

use crate::error::ScenarioError;
use crate::network::Shape;
use crate::settings::Settings;
use units::{Ratio, TimeBase, TimeBaseError};

/// The time base that the rates of links and crossbars ask for; `None` with an error in `errors`.
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
