//! `setaside trace`.

mod shown;

use crate::exit::{Exit, Failure, print};
use crate::options::Format;
use crate::target;
use clap::Args;
use serde_json::json;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use trace::{
    Action, Compression, HEADER, HostRule, Mapping, Options, Packed, PlayError, Problem,
    REQUEST_BYTES, SettingError, Stream, Summary, Synthetic, Trace, TraceError,
};
use units::Ratio;

/// Options of `trace`.
#[derive(Debug, Clone, Args)]
pub(crate) struct TraceArgs {
    /// Trace of I/O or of messages, plain or packed with gz, bz2 or zst; `-` is standard input
    #[arg(required_unless_present = "synthetic")]
    file: Option<PathBuf>,
    /// How to print
    #[arg(long, default_value = "text")]
    format: Format,
    /// Format of the trace: srt, msr, spc, blkparse or messages [default: found from its beginning]
    #[arg(long, value_name = "FORMAT")]
    input_format: Option<trace::Format>,
    /// Use what is good of a trace that is cut off
    #[arg(long)]
    allow_truncated: bool,
    /// Events of blkparse that are taken: D, issued to the driver, or Q, queued
    #[arg(long, value_name = "D|Q", default_value = "D")]
    event: Action,
    /// Make a bursty workload in the place of a trace: keys of docs/traces.md, apart by commas,
    /// such as bias=0.8,bytes_per_s=1000000000
    #[arg(long, value_name = "KEY=VALUE,...", conflicts_with_all = ["file", "input_format", "event"])]
    synthetic: Option<Synthetic>,
    /// Write the trace as messages between end nodes, a CSV; packed where its name ends with .gz,
    /// .bz2 or .zst
    #[arg(long, value_name = "FILE.csv", requires = "nodes")]
    to: Option<PathBuf>,
    /// With --to: number of end nodes, hosts first, then devices
    #[arg(long, value_name = "N", requires = "to")]
    nodes: Option<u32>,
    /// With --to: how many of the end nodes are hosts [default: half of them]
    #[arg(long, value_name = "N", requires = "to")]
    hosts: Option<u32>,
    /// With --to: host of a record by its machine and process (origin), or by device and number of
    /// the record (round-robin)
    #[arg(long, value_name = "RULE", requires = "to", default_value = "origin")]
    host_rule: HostRule,
    /// With --to: times are divided by it; 1000, 0.5 or 3/2
    #[arg(long, value_name = "X", requires = "to", default_value = "1")]
    compression: Ratio,
    /// With --to: bytes of the request of a read and of the acknowledgement of a write
    #[arg(long, value_name = "B", requires = "to", default_value_t = REQUEST_BYTES)]
    request_bytes: u64,
}

impl TraceArgs {
    fn options(&self) -> Options {
        Options {
            format: self.input_format,
            allow_truncated: self.allow_truncated,
            action: self.event,
            ..Options::default()
        }
    }

    fn mapping(&self, nodes: u32) -> Result<Mapping, Failure> {
        let mapping = match self.hosts {
            Some(hosts) => Mapping::split(nodes, hosts),
            None => Mapping::halves(nodes),
        };
        let mut mapping = mapping?;
        mapping.request_bytes = self.request_bytes;
        mapping.host_rule = self.host_rule;
        mapping.timing.compression = self.compression;
        mapping.check(nodes)?;
        Ok(mapping)
    }
}

impl From<TraceError> for Failure {
    fn from(error: TraceError) -> Failure {
        let exit = match error.problem {
            Problem::Open(_) => Exit::Usage,
            Problem::Read(_) => Exit::Failure,
            _ => Exit::BadTrace,
        };
        Failure::new(exit, error.to_string())
    }
}

impl From<SettingError> for Failure {
    fn from(error: SettingError) -> Failure {
        let option = error.key.replace('_', "-");
        let SettingError { given, legal, .. } = error;
        Failure::error(Exit::Usage, format!("--{option}: {given}; legal: {legal}"))
    }
}

impl From<PlayError> for Failure {
    fn from(error: PlayError) -> Failure {
        match error {
            PlayError::Trace(error) => error.into(),
            PlayError::Setting(error) => error.into(),
        }
    }
}

pub(crate) fn trace(args: &TraceArgs) -> Result<(), Failure> {
    if let (Some(to), Some(nodes)) = (&args.to, args.nodes) {
        return convert(args, to, nodes);
    }
    let (name, trace) = match (&args.synthetic, &args.file) {
        (Some(made), _) => ("synthetic".to_string(), Trace::Made(Box::new(made.records()?))),
        (None, Some(file)) => (file.display().to_string(), Trace::open(file, &args.options())?),
        (None, None) => return Ok(()), // refused by the command line
    };
    let summary = Summary::of(trace)?;
    match args.format {
        Format::Text => print(&shown::text(&name, &summary)),
        Format::Json => print(&format!("{:#}\n", shown::json(&name, &summary))),
    }
}

#[derive(Debug, Default)]
struct Written {
    messages: u64,
    bytes: u128,
    last_ns: u64,
}

/// Writes the messages of a trace; where that fails, what was at `to` stays.
fn convert(args: &TraceArgs, to: &Path, nodes: u32) -> Result<(), Failure> {
    target::check("--to", to)?;
    let mapping = args.mapping(nodes)?;
    let mut stream = match (&args.synthetic, &args.file) {
        (Some(synthetic), _) => trace::made(synthetic, &mapping, nodes)?,
        (None, Some(file)) => trace::open(file, &args.options(), &mapping, nodes)?,
        (None, None) => return Ok(()), // refused by the command line
    };
    let mut partial = to.to_owned().into_os_string();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    let written = write(&mut stream, &partial, to).inspect_err(|_| {
        let _ = std::fs::remove_file(&partial);
    })?;
    std::fs::rename(&partial, to).map_err(|error| target::failure("--to", to, &error))?;
    let cut = stream.trace.truncated();
    let to = to.display().to_string();
    match args.format {
        Format::Text => print(&shown::written(&to, &written, nodes, cut)),
        Format::Json => {
            let answer = json!({
                "file": to,
                "messages": written.messages,
                "nodes": nodes,
                "hosts": args.hosts.unwrap_or(nodes / 2),
                "bytes": shown::whole(written.bytes),
                "span_ns": written.last_ns,
                "truncated": cut.map(shown::cut),
            });
            print(&format!("{answer:#}\n"))
        }
    }
}

fn write(stream: &mut Stream, partial: &Path, to: &Path) -> Result<Written, Failure> {
    let failed = |error: io::Error| target::failure("--to", to, &error);
    let file = BufWriter::new(File::create(partial).map_err(failed)?);
    let packed = Packed::new(file, Compression::of_name(&to.to_string_lossy()));
    let mut out = BufWriter::new(packed);
    writeln!(out, "{HEADER}").map_err(failed)?;
    let mut written = Written::default();
    while let Some(message) = stream.next().transpose()? {
        if stream.trace.is_in_ticks() {
            let what = "--to: times of the trace are ticks of a model; legal: ns";
            return Err(Failure::error(Exit::Usage, what));
        }
        writeln!(out, "{message}").map_err(failed)?;
        written.messages += 1;
        written.bytes += u128::from(message.bytes);
        written.last_ns = message.time_ns;
    }
    let packed = out.into_inner();
    let mut file = packed.map_err(|error| failed(error.into_error()))?.finish().map_err(failed)?;
    file.flush().map_err(failed)?;
    Ok(written)
}
