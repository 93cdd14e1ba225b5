//! Latencies of a point: the histograms of its replicas together. A mean of percentiles is none.

use crate::StoreError;
use crate::answer::judged_row;
use crate::error::{io_error, malformed};
use crate::files::LATENCY;
use crate::table::{PointLatency, Table};
use crate::target::Flows;
use csv::ByteRecord;
use observe::{LatencyBucket, LatencyHistogram};
use std::fs::File;
use std::path::Path;

/// Which lines of `latency.csv` are meant.
struct Judged<'a> {
    window: &'a str,
    flows: &'a str,
}

impl Table {
    /// Reads the latencies of each point ([`crate::PointRow::latency`]) from the run directories
    /// below `runs`. Points without a finished run have none.
    ///
    /// # Errors
    /// [`StoreError`]: a `latency.csv` that is not there, or not what was written.
    pub fn read_latencies(&mut self, runs: &Path) -> Result<(), StoreError> {
        let (flows, window) = self.judged_flows();
        let judged = Judged { window: &window, flows: word(flows) };
        let of_points = self.points.iter().map(|point| {
            let (mut all, mut max_ns) = (LatencyHistogram::default(), 0.0f64);
            for run in point.runs.iter().filter_map(|&index| self.run(index)) {
                let Some(values) = run.finished() else {
                    continue;
                };
                let row = judged_row(values, flows, &window);
                max_ns =
                    max_ns.max(row.and_then(|row| row.result.latency_ns.max).unwrap_or(f64::MAX));
                all.merge(&judged.read(&runs.join(&run.job.directory).join(LATENCY))?);
            }
            Ok((all.count() > 0).then(|| PointLatency {
                summary_ns: all.summary(max_ns),
                buckets: all.thinned().buckets().to_vec(),
            }))
        });
        let latencies: Vec<_> = of_points.collect::<Result<_, StoreError>>()?;
        for (point, latency) in self.points.iter_mut().zip(latencies) {
            point.latency = latency;
        }
        Ok(())
    }

    /// `latency.csv` of a sweep: that of the runs, of the judged messages of each point, with the
    /// point and its axes before it.
    ///
    /// # Errors
    /// Those of the CSV writer; none for a table made by [`Table::new`].
    pub fn latency_csv(&self) -> Result<Vec<u8>, csv::Error> {
        let (flows, window) = self.judged_flows();
        let mut out = csv::Writer::from_writer(Vec::new());
        let axes = self.axes.iter().map(String::as_str);
        let columns = ["window", "flows", "latency_ns", "count", "undelivered"];
        out.write_record(["point"].into_iter().chain(axes).chain(columns))?;
        for (n, point) in self.points.iter().enumerate() {
            let label = |axis: &String| point.label(axis).unwrap_or_default().to_string();
            for bucket in point.latency.iter().flat_map(|latency| &latency.buckets) {
                let mut fields = vec![n.to_string()];
                fields.extend(self.axes.iter().map(label));
                fields.extend([window.clone(), word(flows).into()]);
                fields.push(bucket.latency_ns.to_string());
                fields.extend([bucket.count, bucket.undelivered].map(|n| n.to_string()));
                out.write_record(&fields)?;
            }
        }
        out.into_inner().map_err(|e| e.into_error().into())
    }
}

/// As files have it.
fn word(flows: Flows) -> &'static str {
    match flows {
        Flows::Victims => "victims",
        Flows::All => "all",
    }
}

impl Judged<'_> {
    /// Those of a run. A file has tens of thousands of lines: nothing is made of the others.
    fn read(&self, path: &Path) -> Result<LatencyHistogram, StoreError> {
        let malformed = |error: csv::Error| malformed(path)(error.to_string());
        let file = File::open(path).map_err(io_error(path))?;
        let mut reader = csv::Reader::from_reader(file);
        let header = reader.byte_headers().map_err(malformed)?.clone();
        let at = |name: &str| header.iter().position(|column| column == name.as_bytes());
        let [window, flows, of] = ["window", "flows", "of"].map(at);
        let is = |record: &ByteRecord, at: Option<usize>, text: &str| {
            at.and_then(|at| record.get(at)) == Some(text.as_bytes())
        };
        let (mut record, mut buckets) = (ByteRecord::new(), Vec::new());
        while reader.read_byte_record(&mut record).map_err(malformed)? {
            let is_judged = is(&record, window, self.window) && is(&record, flows, self.flows);
            if is_judged && is(&record, of, "message") {
                buckets
                    .push(record.deserialize::<LatencyBucket>(Some(&header)).map_err(malformed)?);
            }
        }
        Ok(buckets.into_iter().collect())
    }
}
