//! A made, bursty I/O workload: no recorded trace, and labelled as such.
//!
//! Arrivals are those of the b-model (Wang et al., *Data Mining Meets Performance Evaluation: Fast
//! Algorithms for Modeling Bursty Traffic*, ICDE 2002): of the requests of a span of time a part b
//! is put into one half of it, drawn with even chances, and the rest to the other, and so on in
//! each half. Bursts show at all scales; b = 0.5 is an even flow. Counts are exact: what is left of
//! a part is rounded up with just its chance. The halves are walked depth first: 64 entries at
//! most.

use crate::error::SettingError;
use crate::record::{Operation, Record};
use rand_core::SeedableRng;
use std::str::FromStr;
use units::Ratio;
use units::draw::{Stream, below};

/// A made, bursty I/O workload. The text form is `key=value` apart by commas, keys as the fields;
/// what is not given is as in [`Synthetic::default`]: `bias=0.8,bytes_per_s=1000000000`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Synthetic {
    /// Of all draws.
    pub seed: u64,
    /// b of the b-model, 0.5 to 1.
    pub bias: Ratio,
    /// Mean rate, in bytes/s.
    pub bytes_per_s: u64,
    /// How long it is.
    pub duration_ns: u64,
    /// How many of a hundred requests are reads.
    pub read_percent: u32,
    /// Sizes of requests in bytes, each as likely as the others. In the text form apart by `/`.
    pub sizes_bytes: Vec<u64>,
    /// Number of devices; each is as likely as the others.
    pub devices: u32,
    /// Number of hosts; each is as likely as the others.
    pub hosts: u32,
}

impl Default for Synthetic {
    fn default() -> Synthetic {
        Synthetic {
            seed: 1,
            bias: Ratio::new(3, 4).unwrap_or(Ratio::ONE),
            bytes_per_s: 1_000_000_000,
            duration_ns: 1_000_000_000,
            read_percent: 67,
            sizes_bytes: vec![4096, 8192, 65_536],
            devices: 32,
            hosts: 32,
        }
    }
}

const KEYS: &str =
    "seed, bias, bytes_per_s, duration_ns, read_percent, sizes_bytes, devices, hosts";

impl FromStr for Synthetic {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Synthetic, SettingError> {
        let mut synthetic = Synthetic::default();
        for part in text.split(',').filter(|part| !part.trim().is_empty()) {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            let value = value.trim();
            match key.trim() {
                "seed" => synthetic.seed = whole("seed", value)?,
                "bias" => {
                    let bias = value.parse();
                    synthetic.bias =
                        bias.map_err(|_| SettingError::new("bias", value, "0.5 to 1"))?;
                }
                "bytes_per_s" => synthetic.bytes_per_s = whole("bytes_per_s", value)?,
                "duration_ns" => synthetic.duration_ns = whole("duration_ns", value)?,
                "read_percent" => synthetic.read_percent = whole("read_percent", value)?,
                "sizes_bytes" => {
                    let sizes = value.split('/').map(|size| whole("sizes_bytes", size.trim()));
                    synthetic.sizes_bytes = sizes.collect::<Result<_, _>>()?;
                }
                "devices" => synthetic.devices = whole("devices", value)?,
                "hosts" => synthetic.hosts = whole("hosts", value)?,
                other => return Err(SettingError::new("synthetic", other, KEYS)),
            }
        }
        synthetic.check()?;
        Ok(synthetic)
    }
}

fn whole<T: FromStr>(key: &'static str, value: &str) -> Result<T, SettingError> {
    let legal = "a whole number";
    value.parse().map_err(|_| SettingError::new(key, value, legal))
}

impl Synthetic {
    /// How many requests it has: bytes of the whole time over the mean size, rounded down.
    pub fn requests(&self) -> u64 {
        let count = self.sizes_bytes.len() as u128;
        let sizes: u128 = self.sizes_bytes.iter().map(|&s| u128::from(s)).sum();
        let bytes = u128::from(self.bytes_per_s) * u128::from(self.duration_ns) / 1_000_000_000;
        let requests = bytes.saturating_mul(count).checked_div(sizes);
        u64::try_from(requests.unwrap_or(0)).unwrap_or(u64::MAX)
    }

    /// Refuses what is not legal.
    ///
    /// # Errors
    /// The first of these.
    pub fn check(&self) -> Result<(), SettingError> {
        let half = self.bias.num().checked_mul(2);
        if half.is_some_and(|twice| twice < self.bias.den()) || self.bias > Ratio::ONE {
            return Err(SettingError::new("bias", self.bias, "0.5 to 1"));
        }
        if self.duration_ns == 0 {
            return Err(SettingError::new("duration_ns", 0, "1 or more"));
        }
        if self.read_percent > 100 {
            return Err(SettingError::new("read_percent", self.read_percent, "0 to 100"));
        }
        if self.sizes_bytes.is_empty() || self.sizes_bytes.contains(&0) {
            let given = format!("{:?}", self.sizes_bytes);
            return Err(SettingError::new("sizes_bytes", given, "one or more, each 1 or more"));
        }
        for (key, count) in [("devices", self.devices), ("hosts", self.hosts)] {
            if !(1..=crate::NAMES_MAX as u32).contains(&count) {
                return Err(SettingError::new(key, count, "1 to 65536"));
            }
        }
        Ok(())
    }

    /// Its records in the order of time, from its start on; hosts are processes of machine 0.
    ///
    /// # Errors
    /// As [`Synthetic::check`].
    pub fn records(&self) -> Result<Requests, SettingError> {
        self.check()?;
        let span = Span { start_ns: 0, length_ns: self.duration_ns, requests: self.requests() };
        Ok(Requests {
            synthetic: self.clone(),
            stream: Stream::seed_from_u64(self.seed),
            spans: vec![span],
        })
    }
}

#[derive(Clone, Copy, Debug)]
struct Span {
    start_ns: u64,
    length_ns: u64,
    requests: u64,
}

/// Requests of a [`Synthetic`], in the order of time.
#[derive(Clone, Debug)]
pub struct Requests {
    synthetic: Synthetic,
    stream: Stream,
    /// What is still to come, the earliest last.
    spans: Vec<Span>,
}

impl Requests {
    /// Spans that wait: the memory that is needed.
    pub fn waiting(&self) -> usize {
        self.spans.len()
    }

    /// Requests of the half that gets more: a part of them, what is left rounded by its chance.
    fn more(&mut self, requests: u64) -> u64 {
        let bias = self.synthetic.bias;
        let part = u128::from(requests) * u128::from(bias.num());
        let (whole, left) = (part / u128::from(bias.den()), part % u128::from(bias.den()));
        let up = below(&mut self.stream, bias.den()) < left as u64;
        (whole as u64 + u64::from(up)).min(requests)
    }

    /// Halves a span until its requests are at one time.
    fn narrow(&mut self, mut span: Span) -> Span {
        while span.length_ns > 1 {
            let first = span.length_ns / 2;
            let more = self.more(span.requests);
            let is_first = below(&mut self.stream, 2) == 0;
            let of_first = if is_first { more } else { span.requests - more };
            let second = Span {
                start_ns: span.start_ns + first,
                length_ns: span.length_ns - first,
                requests: span.requests - of_first,
            };
            span = Span { length_ns: first, requests: of_first, ..span };
            if of_first == 0 {
                span = second;
            } else if second.requests > 0 {
                self.spans.push(second);
            }
        }
        span
    }
}

impl Iterator for Requests {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        let span = self.spans.pop().filter(|span| span.requests > 0)?;
        let span = self.narrow(span);
        if span.requests > 1 {
            let requests = span.requests - 1;
            self.spans.push(Span { requests, ..span });
        }
        let stream = &mut self.stream;
        let Synthetic { read_percent, sizes_bytes, devices, hosts, .. } = &self.synthetic;
        let operation = if below(stream, 100) < u64::from(*read_percent) {
            Operation::Read
        } else {
            Operation::Write
        };
        let size = below(stream, sizes_bytes.len() as u64) as usize;
        Some(Record {
            time_ns: span.start_ns,
            machine: Some(0),
            process: Some(below(stream, (*hosts).into()) as u32),
            device: below(stream, (*devices).into()) as u32,
            operation,
            offset_bytes: 512 * below(stream, 1 << 31),
            bytes: sizes_bytes.get(size).copied().unwrap_or(1),
            response_ns: None,
        })
    }
}
