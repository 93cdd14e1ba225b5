//! What a trace holds, in one pass.

use crate::compression::Compression;
use crate::dispersion::{Dispersion, Scales};
use crate::error::TraceError;
use crate::rate::Rate;
use crate::record::Operation;
use crate::records::Seen;
use crate::trace::{Format, Item, Trace};
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
        /// What reading saw.
        seen: Seen,
    },
    /// A trace of messages.
    Messages {
        /// End nodes that send.
        sources: usize,
        /// End nodes that are sent to.
        destinations: usize,
        /// Messages that wait for another one.
        waiting: u64,
        /// Times are ticks of a model: the span is in ticks, and nothing is told over time.
        is_in_ticks: bool,
        /// Where the file is cut off, where that was allowed.
        truncated: Option<TraceError>,
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
    /// What is of I/O or of messages alone.
    pub kind: Kind,
}

impl Summary {
    /// Reads a trace to its end. Devices of a made one have their numbers as names.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn of(mut trace: Trace) -> Result<Summary, TraceError> {
        let mut all = Collected::default();
        let (mut reads, mut writes) = (Operations::default(), Operations::default());
        let (mut sources, mut destinations) = (BTreeSet::new(), BTreeSet::new());
        let mut made = BTreeSet::new();
        let mut waiting = 0;
        while let Some(item) = trace.next()? {
            match item {
                Item::Record(record) => {
                    all.add(record.time_ns, record.bytes);
                    match record.operation {
                        Operation::Read => reads.add(record.bytes),
                        Operation::Write => writes.add(record.bytes),
                    }
                    made.insert(record.device);
                }
                Item::Message(message) => {
                    all.add(message.time_ns, message.bytes);
                    sources.insert(message.source);
                    destinations.insert(message.destination);
                    waiting += u64::from(message.after.is_some());
                }
            }
        }
        let (format, compression, kind) = match trace {
            Trace::Records(records) => {
                let kind = Kind::Io {
                    reads,
                    writes,
                    devices: records.devices().to_vec(),
                    machines: records.machines().to_vec(),
                    version: records.version(),
                    seen: records.seen().clone(),
                };
                (Some(records.format()), records.compression(), kind)
            }
            Trace::Made(_) => {
                let kind = Kind::Io {
                    reads,
                    writes,
                    devices: made.iter().map(u32::to_string).collect(),
                    machines: Vec::new(),
                    version: None,
                    seen: Seen::default(),
                };
                (None, Compression::Plain, kind)
            }
            Trace::Messages(messages) => {
                let is_in_ticks = messages.is_in_ticks();
                if is_in_ticks {
                    (all.rate, all.scales) = Default::default();
                }
                let kind = Kind::Messages {
                    sources: sources.len(),
                    destinations: destinations.len(),
                    waiting,
                    is_in_ticks,
                    truncated: messages.truncated().cloned(),
                };
                (Some(Format::Messages), messages.compression(), kind)
            }
        };
        Ok(all.summary(format, compression, kind))
    }

    /// Whether times are ticks of a model.
    pub fn is_in_ticks(&self) -> bool {
        matches!(self.kind, Kind::Messages { is_in_ticks: true, .. })
    }

    /// Bytes/s over the span, where it has a length in ns.
    pub fn bytes_per_s(&self) -> Option<f64> {
        self.per_s(self.total.bytes)
    }

    /// Records or messages a second over the span, where it has a length in ns.
    pub fn records_per_s(&self) -> Option<f64> {
        self.per_s(self.total.count)
    }

    /// Bytes of the fullest bin over those of a bin at the mean rate, where the span has a length
    /// in ns.
    pub fn peak_to_mean(&self) -> Option<f64> {
        let span_ns = Some(self.span_ns).filter(|_| !self.is_in_ticks())?;
        self.rate.peak_to_mean(span_ns)
    }

    fn per_s(&self, count: u64) -> Option<f64> {
        (self.span_ns > 0 && !self.is_in_ticks()).then(|| count as f64 * 1e9 / self.span_ns as f64)
    }

    /// Where the file is cut off, where that was allowed.
    pub fn truncated(&self) -> Option<&TraceError> {
        match &self.kind {
            Kind::Io { seen, .. } => seen.truncated.as_ref(),
            Kind::Messages { truncated, .. } => truncated.as_ref(),
        }
    }
}

/// What is collected of each record or message.
struct Collected {
    total: Operations,
    span_ns: u64,
    rate: Rate,
    scales: Scales,
    sizes: Histogram<u64>,
    min: u64,
    max: u64,
}

impl Default for Collected {
    fn default() -> Collected {
        // 3 digits are legal, and it grows as needed.
        let sizes = Histogram::new(3).expect("3 significant digits");
        Collected {
            total: Operations::default(),
            span_ns: 0,
            rate: Rate::default(),
            scales: Scales::default(),
            sizes,
            min: u64::MAX,
            max: 0,
        }
    }
}

impl Collected {
    fn add(&mut self, time_ns: u64, bytes: u64) {
        self.total.add(bytes);
        self.span_ns = self.span_ns.max(time_ns);
        self.rate.add(time_ns, bytes);
        self.scales.arrival(time_ns);
        self.min = self.min.min(bytes);
        self.max = self.max.max(bytes);
        // What cannot be recorded does not exist: it grows up to 64 bits.
        let _ = self.sizes.record(bytes);
    }

    fn summary(self, format: Option<Format>, compression: Compression, kind: Kind) -> Summary {
        let sizes = &self.sizes;
        let quantile = |q| sizes.lowest_equivalent(sizes.value_at_quantile(q));
        Summary {
            format,
            compression,
            total: self.total,
            span_ns: self.span_ns,
            rate: self.rate,
            dispersion: self.scales.indices(),
            sizes: Sizes {
                min: self.min.min(self.max),
                p50: quantile(0.5),
                p90: quantile(0.9),
                p99: quantile(0.99),
                max: self.max,
            },
            kind,
        }
    }
}
