//! The record of a run that has ended.

use super::sets::{Sets, utilisation};
use super::snapshots::Measured;
use super::{Link, Run, named_links, pauses};
use crate::engine::{Implementation, either};
use crate::faults::FaultRecord;
use crate::ideal::{Ideal, Ideals};
use observe::{
    DrainSummary, EcnSummary, FaultRow, FaultSummary, LongestWait, Observer, Record, Stats,
    Summary, Timing, WindowResult,
};
use plan::{FaultTarget, WindowConfig};
use std::collections::BTreeMap;
use units::{Span, Tick};

impl<X: Observer> Run<X> {
    /// Ends the run. `cpu_seconds` is what the steps took, measured by the caller.
    ///
    /// # Panics
    /// When packets were lost without a fault, or made: that is a broken invariant.
    pub fn finish(mut self, cpu_seconds: f64) -> (Record, X) {
        self.snapshots.take_due(&mut self.fabric);
        if self.snapshots.measured.is_none() {
            self.snapshots.take_measured(&mut self.fabric);
        }
        let unadmitted = self.fabric.offer_unadmitted();
        self.fabric.merge_observers();
        let end = self.fabric.now();
        let mut outstanding = Vec::new();
        either!(&self.fabric.engine, it => {
            it.outstanding(|what| outstanding.push(what));
            it.replies_to_come(|what| outstanding.push(what));
        });
        let stats = &mut self.fabric.observer.0.0;
        for what in &outstanding {
            stats.never_arrived(what, end);
        }
        stats.end();
        let series = stats.series();
        let sets = self.sets();
        let seen = self.snapshots.measured.take().unwrap_or_default();
        let mut summary = self.summary(&sets, &seen, cpu_seconds);
        summary.faults = FaultSummary::of(self.faults(&seen.faults));
        let all = self.fabric.observer.0.0.counts_with_drain();
        self.fabric.check_conservation(all.in_flight(), unadmitted);
        if summary.ecn.is_some() {
            self.fabric.check_acks(all.delivered, all.acks_delivered + all.cnps_delivered);
        }
        let latencies = self.latencies(&sets);
        let starved = seen.starved;
        let pauses = pauses::rows(&self.config, &self.fabric.observer.0.0);
        summary.pause = pauses::summary(&self.config, &pauses);
        let record = Record {
            latencies,
            pauses,
            summary,
            groups: self.config.workload.groups,
            series,
            flows: self.fabric.observer.0.0.flows(&starved.unwrap_or_default()),
            ticks: end.0,
        };
        (record, self.fabric.observer.1)
    }

    fn summary(&self, sets: &Sets, seen: &Measured, cpu_seconds: f64) -> Summary {
        let ((stats, hash), _) = &self.fabric.observer;
        let (counts, hops) = (stats.counts(), stats.counts_with_drain().hops);
        let span = stats.measured();
        let links = named_links(&self.config);
        let all = sets.all(span);
        let maximum = self.config.maximum_bytes_per_ns.map(|r| r.to_f64());
        let mut ideals = Ideals::new(&self.config);
        let ideal = ideals.over(span.0, span.1).ok();
        let packet_bytes = self.config.packet_bytes;
        Summary {
            delivered_bytes_per_ns: all.delivered_bytes_per_ns,
            offered_bytes_per_ns: all.offered_bytes_per_ns,
            relative_throughput: all.delivered_bytes_per_ns.zip(maximum).map(|(d, m)| d / m),
            ideal_bytes_per_ns: ideal.as_ref().map(|i| i.bytes_per_ns),
            fairness_jain: stats.fairness_jain(seen.waiting),
            flows_starved: seen.starved.as_ref().map(|flows| flows.len() as u64),
            worst_flow_share: ideal
                .as_ref()
                .and_then(|ideal| worst_flow_share(ideal, stats, packet_bytes)),
            steady: if self.is_changing(span) { None } else { stats.steady() },
            until: None,
            packets_generated: counts.generated,
            packets_delivered: counts.delivered,
            packets_in_flight: counts.in_flight(),
            packets_refused: counts.refused,
            packets_lost_to_faults: counts.lost,
            packets_stranded: counts.stranded,
            out_of_order: counts.out_of_order,
            reordered_by: self.config.overtaking().map(|why| why.to_string()),
            faults: None,
            ecn: self.ecn(seen.marking_events),
            pause: None,
            reorder_buffer_peak: seen.reorder_peak,
            latency_ns: all.latency_ns,
            network_latency_ns: all.network_latency_ns,
            round_trip_ns: all.round_trip_ns,
            longest_wait_ns: self.longest_wait_ns(seen.longest_waits),
            saqs_peak: stats.saqs_peak(),
            recn: counts.recn,
            drain: self.saqs_of_drain(),
            packet_hops: counts.hops,
            events_hash: format!("{:016x}", hash.combined()),
            groups: self.of_groups(|group| stats.group_rate(span, group)),
            group_results: self.sets_of_groups(sets, span),
            victims: self.victims(sets, span, ideal.as_ref()),
            windows: self.windows(sets, &mut ideals, &links),
            links: utilisation(stats, &links, span),
            memory: self.memory,
            timing: Timing {
                cpu_seconds,
                ns_per_packet_hop: (hops > 0).then(|| cpu_seconds * 1e9 / hops as f64),
            },
        }
    }

    /// Each fault, and what came of it.
    fn faults(&self, log: &[FaultRecord]) -> Vec<FaultRow> {
        let base = self.config.time_base;
        let ns = |span| base.span_to_ns(span);
        let row = |record: &FaultRecord| FaultRow {
            t_ns: ns(record.event.at.since(Tick::ZERO)),
            what: match record.event.target {
                FaultTarget::Link { switch, port } => format!("s{switch}.{port}"),
                FaultTarget::Node { switch } => format!("s{switch}"),
            },
            recovers: record.event.recovers,
            reconverge_ns: ns(record.seen.changed.since(record.event.at)),
            messages: record.seen.messages,
            lost: record.seen.lost,
            stranded: record.seen.stranded,
            recomputed: record.recomputed,
        };
        log.iter().map(row).collect()
    }

    fn saqs_of_drain(&self) -> Option<DrainSummary> {
        let has_drained = self.fabric.now() > self.config.run.duration;
        let has_saqs = self.config.switch.scheme.version().is_some();
        (has_drained && has_saqs).then(|| self.fabric.observer.0.0.saqs_of_drain())
    }

    /// ACKs and marks, where there is ECN.
    fn ecn(&self, [events, events_at_rest, events_waiting]: [u64; 3]) -> Option<EcnSummary> {
        self.config.endnode.ecn?;
        let ((stats, _), _) = &self.fabric.observer;
        let groups = self.config.workload.groups.iter().cloned();
        Some(EcnSummary {
            acks_delivered: stats.counts().acks_delivered,
            events,
            events_at_rest,
            events_waiting,
            cnps_delivered: self.config.endnode.ecn?.cnps.map(|_| stats.counts().cnps_delivered),
            packets_marked: stats.marked().iter().sum(),
            groups_marked: groups.zip(stats.marked().iter().copied()).collect(),
        })
    }

    fn longest_wait_ns(&self, waits: [Span; 2]) -> LongestWait {
        let [normal, saq] = waits.map(|wait| self.config.time_base.span_to_ns(wait));
        let has_saqs = self.config.switch.scheme.version().is_some();
        LongestWait { normal, saq: has_saqs.then_some(saq) }
    }

    /// By name.
    fn windows(
        &self,
        sets: &Sets,
        ideals: &mut Ideals<'_>,
        links: &[Link],
    ) -> BTreeMap<String, WindowResult> {
        let windows = self.config.windows.iter().zip(&self.snapshots.starved);
        let result = |(window, &starved): (&WindowConfig, &Option<u64>)| {
            let ideal = ideals.over(window.start, window.end).ok();
            let result = self.window(sets, window, starved, ideal.as_ref(), links);
            (window.name.clone(), result)
        };
        windows.map(result).collect()
    }
}

/// A flow that may expect fewer packets has no share worth stating.
const SHARE_PACKETS_MIN: u32 = 32;

/// The smallest part that any flow got of its max-min fair share of the measured time, of those
/// that could expect [`SHARE_PACKETS_MIN`] of the largest packets. It may exceed 1.
fn worst_flow_share(ideal: &Ideal, stats: &Stats, packet_bytes: u32) -> Option<f64> {
    let ns = stats.measured_ns();
    let least = f64::from(SHARE_PACKETS_MIN) * f64::from(packet_bytes);
    let flows = ideal.flows.iter().filter(|flow| flow.2 * ns >= least);
    flows
        .map(|&(source, destination, rate)| {
            stats.measured_bytes(source, destination) as f64 / ns / rate
        })
        .reduce(f64::min)
}
