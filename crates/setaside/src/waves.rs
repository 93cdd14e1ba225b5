//! `setaside run --waves`: where waveforms go, and which part of a run they show.

use crate::exit::{Exit, Failure};
use crate::target;
use clap::Args;
use inspect::waveform::{Fst, Signals, Sink, TraceEvents, Vcd};
use inspect::{AbsentUnit, Waves, WavesConfig};
use plan::FabricConfig;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use units::{Tick, Unit};

/// Options of waveforms.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct WaveArgs {
    /// Write registers of ports as a waveform, tick by tick, for GTKWave or Surfer: FILE.fst or
    /// FILE.vcd; as trace events for Perfetto: FILE.json. The engine has one thread
    #[arg(long, value_name = "FILE")]
    pub(crate) waves: Option<WaveFile>,
    /// With --waves: from FROM to TO, in ns [default: the whole run]
    #[arg(long, value_name = "FROM:TO", requires = "waves")]
    pub(crate) waves_window: Option<Window>,
    /// With --waves: these units alone, as 'switch 3 in 2' or 'node 7'; apart by commas [default:
    /// all]
    #[arg(long, value_name = "UNIT", requires = "waves", value_delimiter = ',')]
    pub(crate) waves_units: Vec<Unit>,
}

/// A file of waveforms, in the format that its name ends with.
#[derive(Debug, Clone)]
pub(crate) struct WaveFile(PathBuf);

fn ending(path: &Path) -> &str {
    path.extension().and_then(|end| end.to_str()).unwrap_or_default()
}

impl FromStr for WaveFile {
    type Err = String;

    fn from_str(text: &str) -> Result<WaveFile, String> {
        match ending(Path::new(text)) {
            "fst" | "vcd" | "json" => Ok(WaveFile(text.into())),
            _ => Err("legal: a name that ends in .fst, .vcd or .json".to_string()),
        }
    }
}

impl WaveFile {
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn create(&self, signals: &Signals, start: u64) -> io::Result<Box<dyn Sink + Send>> {
        let out = BufWriter::new(File::create(&self.0)?);
        Ok(match ending(&self.0) {
            "fst" => Box::new(Fst::new(out, signals, start)?),
            "vcd" => Box::new(Vcd::new(out, signals, start)?),
            _ => Box::new(TraceEvents::new(out, signals, start)?),
        })
    }

    pub(crate) fn failure(&self, error: &io::Error) -> Failure {
        target::failure("--waves", &self.0, error)
    }
}

/// A part of a run, ns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    from: u64,
    to: u64,
}

impl FromStr for Window {
    type Err = String;

    fn from_str(text: &str) -> Result<Window, String> {
        let number = |text: &str| text.replace('_', "").parse().ok();
        let ends = text.split_once(':');
        let window =
            ends.and_then(|(from, to)| Some(Window { from: number(from)?, to: number(to)? }));
        window
            .filter(|window| window.from < window.to)
            .ok_or_else(|| "legal: FROM:TO, two integers of ns, FROM before TO".to_string())
    }
}

/// The observer, checked against the run.
///
/// # Errors
/// Units that are not in the network, a window that begins after the run.
pub(crate) fn observer(args: &WaveArgs, config: &FabricConfig) -> Result<Waves, Failure> {
    let usage = |what: String| Failure::error(Exit::Usage, what);
    for unit in &args.waves_units {
        AbsentUnit::check(*unit, &config.network)
            .map_err(|error| usage(format!("--waves-units: {error}")))?;
    }
    let tick = |ns| Tick::ZERO + config.time_base.ns_to_ticks_ceil(ns);
    let window = args.waves_window;
    let (from, to) = window.map_or((Tick::ZERO, Tick::MAX), |w| (tick(w.from), tick(w.to)));
    let end = config.run.duration.saturating_add(config.run.drain);
    if from >= end {
        let given = window.map_or(0, |window| window.from);
        let ns = config.time_base.tick_to_ns(end);
        return Err(usage(format!(
            "--waves-window: it begins at {given} ns; legal: before the end of the \
             run, {ns} ns"
        )));
    }
    Ok(Waves::new(WavesConfig {
        network: config.network.clone(),
        time_base: config.time_base,
        units: args.waves_units.clone(),
        from,
        to,
    }))
}
