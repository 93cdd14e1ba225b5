//! Runs that provably equal others: [`Kin`] and the rules.
//!
//! Two rules, each about a run that was simulated and one that is not:
//!
//! - *More SAQs.* A port takes the lowest SAQ that is free, and nothing else looks at how many
//!   there are: queues take turns by their numbers, memories are not shared out among SAQs. So a
//!   run in which none was refused is that with any larger number.
//! - *No SAQ.* A run in which none was asked for found no queue beyond its detection thresholds:
//!   it is that with any higher ones, with any number of SAQs (at least one), and with any value of
//!   what SAQs alone look at.
//!
//! All results are equal then, `events_hash` included, but the bits that a port costs. Neither rule
//! speaks of runs with ECN, whose marks look at shares of the memory. Random cases hold both
//! against simulation (`tests/tests/it/derived.rs`).

use crate::job::Job;
use observe::Summary;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a run with SAQs has in common with those that it may equal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kin {
    /// Hash of the resolved scenario but for `recn.saqs`.
    pub but_saqs: u64,
    /// The same but for all keys that only SAQs, or what makes them, look at.
    pub but_recn: u64,
    /// `recn.saqs`, at least 1.
    pub saqs: u32,
    /// Detection thresholds of egress and ingress, packets.
    pub detection_packets: [u32; 2],
}

/// What of a finished run the rules look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Proof {
    /// No SAQ was refused.
    had_enough: bool,
    /// None was asked for.
    had_none: bool,
}

impl Proof {
    pub(crate) fn of(summary: &Summary) -> Proof {
        let (recn, without_ecn) = (&summary.recn, summary.ecn.is_none());
        let asked = recn.allocations + recn.refusals + recn.internal_notifications;
        Proof {
            had_enough: without_ecn && recn.refusals == 0,
            had_none: without_ecn && asked == 0,
        }
    }
}

/// Whether the run of `to` is that of `from`, which says `summary`, but for the bits that a port
/// costs.
pub fn is_equal_run(from: &Job, summary: &Summary, to: &Job) -> bool {
    equals(from, Proof::of(summary), to)
}

/// Whether the run of `from` is that of `to`.
pub(crate) fn equals(from: &Job, proof: Proof, to: &Job) -> bool {
    if from.hash == to.hash {
        return from.scenario_text == to.scenario_text;
    }
    let (Some(a), Some(b)) = (from.kin, to.kin) else {
        return false;
    };
    let is_above = |at: usize| b.detection_packets[at] >= a.detection_packets[at];
    a.but_saqs == b.but_saqs && b.saqs >= a.saqs && proof.had_enough
        || a.but_recn == b.but_recn && proof.had_none && is_above(0) && is_above(1)
}

/// Of each job those, by place, that may turn out to equal it: it waits for them, so that which
/// runs are simulated does not depend on how many run side by side. They are the first of several
/// equal ones; those with fewer SAQs; and the one of a family with the lowest thresholds and
/// fewest SAQs.
pub(crate) fn candidates(jobs: &[Job]) -> Vec<Vec<usize>> {
    let order = |at: usize| {
        let kin = jobs[at].kin.unwrap_or_default();
        (kin.detection_packets, kin.saqs, at)
    };
    let (mut by_hash, mut firsts) = (BTreeMap::new(), BTreeMap::new());
    let mut chains = BTreeMap::<u64, Vec<usize>>::new();
    for (at, job) in jobs.iter().enumerate() {
        by_hash.entry(job.hash).or_insert(at);
        if let Some(kin) = job.kin {
            let first = firsts.entry(kin.but_recn).or_insert(at);
            if order(at) < order(*first) {
                *first = at;
            }
            chains.entry(kin.but_saqs).or_default().push(at);
        }
    }
    let of = |at: usize| {
        let mut found: Vec<usize> = by_hash.get(&jobs[at].hash).copied().into_iter().collect();
        if let Some(kin) = jobs[at].kin {
            let chain = chains.get(&kin.but_saqs).into_iter().flatten();
            found.extend(firsts.get(&kin.but_recn));
            found.extend(chain.filter(|&&other| order(other) < order(at)));
        }
        found.retain(|&other| other != at);
        found.sort_unstable_by_key(|&other| order(other));
        found.dedup();
        found
    };
    (0..jobs.len()).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(index: usize, saqs: u32, detection: u32) -> Job {
        let kin = Kin {
            but_saqs: u64::from(detection),
            but_recn: 1,
            saqs,
            detection_packets: [detection, 5],
        };
        Job {
            index,
            hash: index as u64,
            kin: Some(kin),
            ..Job::default()
        }
    }

    // A circle would wait for ever.
    #[test]
    fn each_waits_for_those_before_it_alone() {
        let jobs = [
            job(0, 8, 9),
            job(1, 2, 9),
            job(2, 4, 5),
            job(3, 1, 5),
            job(4, 4, 5),
        ];
        let jobs: Vec<Job> = jobs.into_iter().chain([Job::default()]).collect();
        assert_eq!(
            candidates(&jobs),
            [vec![3, 1], vec![3], vec![3], vec![], vec![3, 2], vec![0]]
        );
    }

    #[test]
    fn more_saqs_equal_fewer_where_none_was_refused_and_no_others_do() {
        let proof = |allocations, refusals| {
            let mut summary = Summary::default();
            (summary.recn.allocations, summary.recn.refusals) = (allocations, refusals);
            Proof::of(&summary)
        };
        let (few, more, late) = (job(0, 2, 5), job(1, 4, 5), job(2, 1, 9));
        for (from, did, to, is_equal) in [
            (&few, (7, 0), &more, true),
            (&few, (7, 1), &more, false),
            (&more, (7, 0), &few, false),
            (&few, (7, 0), &late, false),
            (&few, (0, 0), &late, true),
            (&few, (0, 1), &late, false),
            (&late, (0, 0), &few, false),
            (&more, (0, 0), &few, true),
        ] {
            assert_eq!(equals(from, proof(did.0, did.1), to), is_equal, "{did:?}");
        }
    }
}
