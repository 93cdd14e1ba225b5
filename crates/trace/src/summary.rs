//! What a trace holds, in one pass.

use crate::compression::Compression;
use crate::error::TraceError;
use crate::options::Format;
use crate::rate::{Dispersion, Rate, Scales};
use crate::record::{Item, Operation};
use crate::records::Seen;
use crate::trace::Trace;
use hdrhistogram::Histogram;
use std::collections::BTreeSet;

/// Reads or writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// How many.
    pub count: u64,
    /// Their bytes.
    pub bytes: u64,
}

impl Operations {
    fn add(&mut self, bytes: u64) {
        self.count += 1;
        self.bytes = self.bytes.saturating_add(bytes);
    }
}

/// Sizes in bytes: the least, quantiles to one part in a thousand, the most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// The least.
    pub min: u64,
    /// Half are up to this.
    pub p50: u64,
    /// 90 of 100.
    pub p90: u64,
    /// 99 of 100.
    pub p99: u64,
    /// The most.
    pub max: u64,
}

/// What is of I/O or of messages alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A trace of I/O.
    Io {
        /// Reads.
        reads: Operations,
        /// Writes.
        writes: Operations,
        /// Names of the devices.
        devices: Vec<String>,
        /// Names of the machines, where the format has them.
        machines: Vec<String>,
        /// Version of the format, where it has one.
        version: Option<u32>,
    },
    /// A trace of messages.
    Messages {
        /// End nodes that send.
        sources: usize,
        /// End nodes that are sent to.
        destinations: usize,
        /// Messages that wait for another one.
        waiting: u64,
    },
}

/// What a trace holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Its format; none of a synthetic one.
    pub format: Option<Format>,
    /// Its compression.
    pub compression: Compression,
    /// Records or messages, and their bytes.
    pub total: Operations,
    /// From the first to the last, in ns; of messages from time 0 on, or in ticks.
    pub span_ns: u64,
    /// Bytes over time.
    pub rate: Rate,
    /// Burstiness by scale, of records or messages.
    pub dispersion: Vec<Dispersion>,
    /// Sizes.
    pub sizes: Sizes,
    /// Times are ticks of a model: the span is in ticks, and nothing is reported over time.
    pub is_in_ticks: bool,
    /// What reading saw.
    pub seen: Seen,
    /// What is of I/O or of messages alone.
    pub kind: Kind,
}

impl Summary {
    /// Reads a trace to its end. Devices of a made one have their numbers as names.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn of(mut trace: Trace) -> Result<Summary, TraceError> {
        let [mut total, mut reads, mut writes] = [Operations::default(); 3];
        let (mut rate, mut scales, mut span_ns) = (Rate::default(), Scales::default(), 0);
        let mut sizes = Histogram::<u64>::new(3).expect("3 significant digits");
        let (mut min, mut max) = (u64::MAX, 0);
        let (mut sources, mut destinations) = (BTreeSet::new(), BTreeSet::new());
        let (mut devices, mut waiting) = (BTreeSet::new(), 0);
        while let Some(item) = trace.next()? {
            let (time_ns, bytes) = item.time_and_bytes();
            total.add(bytes);
            span_ns = span_ns.max(time_ns);
            rate.add(time_ns, bytes);
            scales.arrival(time_ns);
            (min, max) = (min.min(bytes), max.max(bytes));
            // What cannot be recorded does not exist: it grows up to 64 bits.
            let _ = sizes.record(bytes);
            match item {
                Item::Record(record) => {
                    match record.operation {
                        Operation::Read => reads.add(bytes),
                        Operation::Write => writes.add(bytes),
                    }
                    devices.insert(record.device);
                }
                Item::Message(message) => {
                    sources.insert(message.source);
                    destinations.insert(message.destination);
                    waiting += u64::from(message.after.is_some());
                }
            }
        }
        let reader = trace.file().map(|records| &records.reader);
        let kind = if trace.is_io() {
            let made = devices.iter().map(u32::to_string);
            Kind::Io {
                reads,
                writes,
                devices: reader.map_or_else(|| made.collect(), |of| of.devices.all.clone()),
                machines: reader.map_or(Vec::new(), |of| of.machines.all.clone()),
                version: reader.map(|of| of.version).filter(|version| *version > 0),
            }
        } else {
            Kind::Messages { sources: sources.len(), destinations: destinations.len(), waiting }
        };
        let is_in_ticks = trace.is_in_ticks();
        if is_in_ticks {
            (rate, scales) = Default::default();
        }
        let quantile = |q| sizes.lowest_equivalent(sizes.value_at_quantile(q));
        Ok(Summary {
            format: trace.format(),
            compression: trace.compression(),
            total,
            span_ns,
            rate,
            dispersion: scales.indices(),
            sizes: Sizes {
                min: min.min(max),
                p50: quantile(0.5),
                p90: quantile(0.9),
                p99: quantile(0.99),
                max,
            },
            is_in_ticks,
            seen: reader.map_or(Seen::default(), |of| of.seen.clone()),
            kind,
        })
    }

    /// Bytes/s over the span, where it has a length in ns.
    pub fn bytes_per_s(&self) -> Option<f64> {
        self.per_s(self.total.bytes)
    }

    /// Records or messages a second over the span, where it has a length in ns.
    pub fn records_per_s(&self) -> Option<f64> {
        self.per_s(self.total.count)
    }

    /// Bytes of the fullest bin over those of one at the mean rate, where the span is in ns.
    pub fn peak_to_mean(&self) -> Option<f64> {
        let span_ns = Some(self.span_ns).filter(|_| !self.is_in_ticks)?;
        self.rate.peak_to_mean(span_ns)
    }

    fn per_s(&self, count: u64) -> Option<f64> {
        (self.span_ns > 0 && !self.is_in_ticks).then(|| count as f64 * 1e9 / self.span_ns as f64)
    }
}
