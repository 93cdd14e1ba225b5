//! A point beside its reference, and how far chance may move it.
//!
//! Points are compared on common random numbers: each run beside the run of the reference with the
//! same seed. What moves both alike is then in no interval of a share or a difference.

use super::level::{Level, Levels, Of};
use super::{Held, Met};
use crate::Interval;
use crate::statistics::{CONFIDENCE, paired, ratio};
use crate::target::Reference;

/// Of each run a value, and that of what it is held against.
type Pairs = (Vec<f64>, Vec<f64>);

impl Levels<'_> {
    /// A point as it is shown.
    pub(super) fn held(&self, point: usize) -> Option<Held> {
        let (row, level) = (self.row_of(point), self.get(point, Of::Mean)?);
        let bits = row.value("port_control_bits").map(|bits| bits.mean);
        // chance does not make the interval of a lower bound
        let p99 = |level: &Level| level.p99_ns.filter(|_| !level.p99_is_lower_bound);
        let (throughput, p99_met) = (self.throughput(point, Of::Mean), self.p99(point, Of::Mean));
        let (target, times) = (self.target().share, self.target().p99_times);
        let share = self.share(point, Of::Mean);
        let delivered = self.delivered_pairs(point);
        let of = |(own, other): &Pairs| ratio(own, other, CONFIDENCE);
        let share_half_95 = delivered.as_ref().and_then(of).and_then(|share| share.half);
        let p99_half = self.half(point, p99);
        // The p99 as a part of what it may be, and half of the interval of that.
        let of_limit = match self.target().p99_ns {
            Some(ns) => level.p99_ns.map(|own| (own / ns, p99_half.map(|half| half / ns))),
            None => self
                .pairs(point, p99)
                .as_ref()
                .and_then(of)
                .map(|of_best| (of_best.mean / times, of_best.half.map(|half| half / times))),
        };
        let of_limit = of_limit.and_then(|(part, half)| Some((part, half?)));
        Some(Held {
            name: row.name.clone(),
            labels: row.labels.clone(),
            bytes_per_ns: level.delivered,
            half_95_bytes_per_ns: self.half(point, |level| Some(level.delivered)),
            share,
            share_half_95,
            throughput,
            throughput_is_certain: share.zip(share_half_95).and_then(|(share, half)| {
                match throughput {
                    Met::Yes => Some(share - half >= target),
                    Met::No => Some(share + half < target),
                    Met::Unknown => None,
                }
            }),
            difference: delivered.as_ref().and_then(|(own, other)| paired(own, other, CONFIDENCE)),
            p99_ns: level.p99_ns,
            p99_half_95_ns: p99_half,
            p99_is_lower_bound: level.p99_is_lower_bound,
            p99: p99_met,
            p99_is_certain: of_limit.and_then(|(part, half)| match p99_met {
                Met::Yes => Some(part + half <= 1.0),
                Met::No => Some(part - half > 1.0),
                Met::Unknown => None,
            }),
            merged_latency_ns: row.latency.as_ref().map(|l| l.summary_ns.clone()),
            control_bits: bits.filter(|bits| *bits > 0.0),
        })
    }

    /// Half of the 95 % interval over the replicas; `None` of one, and where one has no value.
    fn half(&self, point: usize, value: impl Fn(&Level) -> Option<f64>) -> Option<f64> {
        let runs = self.runs_of(point).iter();
        let values: Option<Vec<f64>> = runs.map(|run| value(&run.level)).collect();
        Interval::of(&values?)?.half
    }

    /// What each run of a point delivers, and what that is a part of.
    fn delivered_pairs(&self, point: usize) -> Option<Pairs> {
        let own = |whole: fn(&Level) -> Option<f64>| {
            let runs = self.runs_of(point).iter();
            let pairs = runs.map(|run| Some((run.level.delivered, whole(&run.level)?)));
            pairs.collect::<Option<Pairs>>()
        };
        match self.target().reference {
            Reference::Offered => own(|level| level.offered),
            Reference::Possible => own(|level| level.possible),
            Reference::Best if self.is_alone(point) => None,
            Reference::Best | Reference::Scheme(_) => {
                self.pairs(point, |level| Some(level.delivered))
            }
        }
    }

    /// A value of each run of a point, and of the run of its reference with the same seed; `None`
    /// where a run has none, or the two points do not have the same seeds.
    fn pairs(&self, point: usize, value: impl Fn(&Level) -> Option<f64>) -> Option<Pairs> {
        let runs = self.runs_of(point);
        let others = self.runs_of(self.best(point, Of::Mean)?);
        let pairs = runs.iter().map(|run| {
            let other = others.iter().find(|other| other.seed == run.seed)?;
            Some((value(&run.level)?, value(&other.level)?))
        });
        pairs.collect::<Option<Pairs>>().filter(|_| runs.len() == others.len())
    }
}
