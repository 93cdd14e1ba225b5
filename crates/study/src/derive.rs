//! Runs that equal others in all but the bits that a port costs; not with ECN, whose marks read
//! shares of the memory. Held against simulation in `tests/tests/it/derived.rs`.
//!
//! - *Other numbers of SAQs.* A port takes the lowest free SAQ, and nothing else depends on their
//!   number. So a run in which none was refused and no port held more than `n` at a time is that
//!   with any number from `n` on.
//! - *No SAQ.* A run in which none was asked for found no queue beyond its detection thresholds: it
//!   is that with higher ones, any number of SAQs (at least one), and any value of SAQs' own keys.

use crate::job::Job;
use observe::Summary;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// What a run with SAQs has in common with those that it may equal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kin {
    /// Hash of the resolved scenario but for `recn.saqs`.
    pub but_saqs: u64,
    /// The same but for all keys that only SAQs, or what makes them, read.
    pub but_recn: u64,
    /// `recn.saqs`, at least 1.
    pub saqs: u32,
    /// Detection thresholds of egress and ingress, packets.
    pub detection_packets: [u32; 2],
}

/// What the rules read of a finished run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Proof {
    /// The most SAQs that a port held at a time; `None` where one was refused.
    enough: Option<u32>,
    had_none: bool,
}

impl Proof {
    pub(crate) fn of(summary: &Summary) -> Proof {
        // latencies are also of the drain
        let drain = summary.drain.unwrap_or_default();
        let recn = [summary.recn, drain.recn];
        let peaks = [summary.saqs_peak, drain.saqs_peak];
        let without_ecn = summary.ecn.is_none();
        let refused: u64 = recn.iter().map(|recn| recn.refusals).sum();
        let others = recn.iter().map(|recn| recn.allocations + recn.internal_notifications);
        let asked = refused + others.sum::<u64>();
        let most = peaks.iter().map(|p| p.ingress.max(p.egress).max(p.injection)).max();
        Proof {
            enough: most.filter(|_| without_ecn && refused == 0),
            had_none: without_ecn && asked == 0,
        }
    }
}

/// Whether the run of `to` is that of `from`, but for the bits that a port costs.
pub fn is_equal_run(from: &Job, summary: &Summary, to: &Job) -> bool {
    equals(from, Proof::of(summary), to)
}

fn equals(from: &Job, proof: Proof, to: &Job) -> bool {
    if from.hash == to.hash {
        return from.scenario_text == to.scenario_text;
    }
    let (Some(a), Some(b)) = (from.kin, to.kin) else { return false };
    let is_above = |at: usize| b.detection_packets[at] >= a.detection_packets[at];
    a.but_saqs == b.but_saqs && proof.enough.is_some_and(|most| most <= b.saqs)
        || a.but_recn == b.but_recn && proof.had_none && is_above(0) && is_above(1)
}

/// Which jobs may begin, and which equal one that has ended.
pub(crate) struct Order<'a> {
    jobs: &'a [Job],
    /// By job, see [`candidates`]; empty where nothing is derived.
    candidates: Vec<Vec<usize>>,
    /// By job: `None`: not yet run; a run that did not finish proves nothing.
    ended: Vec<Option<Option<Proof>>>,
}

impl<'a> Order<'a> {
    /// Of these jobs; `finished` has a proof for those that are there already.
    pub(crate) fn new(jobs: &'a [Job], finished: Vec<Option<Proof>>, derives: bool) -> Order<'a> {
        Order {
            candidates: match derives {
                true => candidates(jobs, |at| finished[at].is_some()),
                false => vec![Vec::new(); jobs.len()],
            },
            jobs,
            ended: finished.into_iter().map(|proof| proof.map(Some)).collect(),
        }
    }

    /// All jobs are known that this one may turn out to equal.
    pub(crate) fn is_ready(&self, at: usize) -> bool {
        self.candidates[at].iter().all(|&c| self.ended[c].is_some())
    }

    pub(crate) fn equal_to(&self, at: usize) -> Option<usize> {
        let equals = |&&other: &&usize| {
            let proof = self.ended[other].flatten();
            proof.is_some_and(|proof| equals(&self.jobs[other], proof, &self.jobs[at]))
        };
        self.candidates[at].iter().find(equals).copied()
    }

    /// A run has ended; without a proof where it did not finish.
    pub(crate) fn end(&mut self, at: usize, proof: Option<Proof>) {
        self.ended[at] = Some(proof);
    }
}

/// Of each job those that may turn out to equal it and that it waits for, so that what is simulated
/// does not depend on the workers: the first of several equal ones, the one with the most SAQs,
/// those that are there already, and the one of a family with the lowest thresholds and the most
/// SAQs. So a study takes three rounds.
fn candidates(jobs: &[Job], is_there: impl Fn(usize) -> bool) -> Vec<Vec<usize>> {
    let order = |at: usize| {
        let kin = jobs[at].kin.unwrap_or_default();
        (kin.detection_packets, Reverse(kin.saqs), at)
    };
    let (mut by_hash, mut firsts) = (BTreeMap::new(), BTreeMap::new());
    let mut chains = BTreeMap::<u64, Vec<usize>>::new();
    let mut places: Vec<usize> = (0..jobs.len()).collect();
    places.sort_unstable_by_key(|&at| order(at));
    for at in places {
        by_hash.entry(jobs[at].hash).or_insert(at);
        if let Some(kin) = jobs[at].kin {
            firsts.entry(kin.but_recn).or_insert(at);
            chains.entry(kin.but_saqs).or_default().push(at);
        }
    }
    let of = |at: usize| {
        let mut found: Vec<usize> = by_hash.get(&jobs[at].hash).copied().into_iter().collect();
        if let Some(kin) = jobs[at].kin {
            let chain = &chains[&kin.but_saqs];
            found.extend(firsts.get(&kin.but_recn));
            found.extend(chain.first());
            found.extend(chain.iter().filter(|&&other| is_there(other)));
        }
        let is_before = |other: usize| is_there(other) || order(other) < order(at);
        found.retain(|&other| other != at && is_before(other));
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
        let (but_saqs, but_recn, detection_packets) = (detection.into(), 1, [detection, 5]);
        let kin = Kin { but_saqs, but_recn, saqs, detection_packets };
        Job { index, hash: index as u64, kin: Some(kin), ..Job::default() }
    }

    // A circle would wait for ever.
    #[test]
    fn each_waits_for_those_before_it_alone() {
        let jobs = [job(0, 8, 9), job(1, 2, 9), job(2, 4, 5), job(3, 1, 5), job(4, 4, 5)];
        let again = job(0, 8, 9);
        let jobs: Vec<Job> = jobs.into_iter().chain([again]).collect();
        let waits_for = |there: usize| candidates(&jobs, |at| at == there);
        let nothing_there = [vec![2], vec![2, 0], vec![], vec![2], vec![2], vec![2, 0]];
        assert_eq!(waits_for(9), nothing_there);
        // what is there delays no run, and may prove something to all of its kin
        let one_there = [vec![2, 1], vec![2, 0], vec![], vec![2], vec![2], vec![2, 0, 1]];
        assert_eq!(waits_for(1), one_there);
    }

    #[test]
    fn runs_are_equal_by_what_they_prove_alone() {
        let proof = |most, allocations, refusals| {
            let mut summary = Summary::default();
            summary.saqs_peak.egress = most;
            (summary.recn.allocations, summary.recn.refusals) = (allocations, refusals);
            Proof::of(&summary)
        };
        let (few, more, late) = (job(0, 2, 5), job(1, 4, 5), job(2, 1, 9));
        for (from, (most, allocations, refusals), to, is_equal) in [
            (&few, (2, 7, 0), &more, true),
            (&few, (2, 7, 1), &more, false),
            (&more, (2, 7, 0), &few, true),
            (&more, (3, 7, 0), &few, false),
            (&more, (2, 7, 1), &few, false),
            (&few, (1, 7, 0), &late, false),
            (&few, (0, 0, 0), &late, true),
            (&few, (0, 0, 1), &late, false),
            (&late, (0, 0, 0), &few, false),
            (&more, (0, 0, 0), &few, true),
        ] {
            let proof = proof(most, allocations, refusals);
            assert_eq!(equals(from, proof, to), is_equal, "{proof:?}");
        }
    }
}
