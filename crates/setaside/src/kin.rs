//! Which runs of a study may equal others, and how their records differ ([`study::Kin`]).

use crate::drive::build;
use observe::{Record, Timing};
use scenario::Scenario;
use study::{Kin, RunFailure};

const SAQS: &str = "recn.saqs";
const EGRESS: &str = "recn.detection_egress_packets";
const INGRESS: &str = "recn.detection_ingress_packets";
/// Keys that only SAQs, or what makes them, look at.
const OF_SAQS: [&str; 11] = [
    SAQS,
    EGRESS,
    INGRESS,
    "recn.detection_packets",
    "recn.propagation_packets",
    "recn.xoff_packets",
    "recn.xon_packets",
    "recn.xon_edge",
    "recn.saq_timer_ns",
    "recn.retry_ns",
    "recn.xoff_repeat_ns",
];

/// What a scenario shares with those that it may equal; `None` where its switches have no SAQs.
pub(crate) fn of(scenario: &Scenario) -> Option<Kin> {
    let number = |key: &str| scenario.get(key)?.parse::<u32>().ok();
    let has_saqs = scenario.get("switch.scheme")?.contains("recn");
    let saqs = number(SAQS).filter(|&saqs| has_saqs && saqs > 0)?;
    Some(Kin {
        but_saqs: scenario.hash_without(&[SAQS]),
        but_recn: scenario.hash_without(&OF_SAQS),
        saqs,
        detection_packets: [number(EGRESS)?, number(INGRESS)?],
    })
}

/// The record of a point whose run is that of `record`: the bits that a port costs are its own, and
/// no time was spent.
pub(crate) fn derive(scenario: &Scenario, mut record: Record) -> Result<Record, RunFailure> {
    let config = build(scenario)?;
    record.summary.memory = plan::memory_bits(&config).map_err(crate::Failure::from)?;
    record.summary.timing = Timing::default();
    Ok(record)
}
