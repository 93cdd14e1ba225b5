//! Runs with observers: `--record`, `--watch`, `--waves`, `--record-messages`.

use crate::drive::{build, drive};
use crate::exit::{Exit, Failure};
use crate::waves::{self, WaveArgs};
use fabric::{Engine, Run};
use inspect::{Inspection, MessageLog, Recording, Selection, emit};
use observe::Record;
use plan::FabricConfig;
use scenario::Scenario;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use topology::Network;
use trace::{HEADER_TICKS, Message};
use units::{Span, TimeBase};

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Wanted<'a> {
    /// Trees and ports over time.
    pub(crate) record: bool,
    pub(crate) interval_ns: Option<u64>,
    /// Packets and units whose events are printed.
    pub(crate) watches: &'a [Selection],
    pub(crate) waves: Option<&'a WaveArgs>,
    pub(crate) messages: Option<&'a Path>,
}

impl Wanted<'_> {
    pub(crate) fn is_anything(&self) -> bool {
        self.record || !self.watches.is_empty() || self.waves.is_some() || self.messages.is_some()
    }

    /// Whether an observer must see all ports at once.
    pub(crate) fn needs_one_thread(&self) -> bool {
        self.record || self.waves.is_some() || self.messages.is_some()
    }
}

#[derive(Default)]
pub(crate) struct Inspected {
    pub(crate) recorded: Option<Recorded>,
    /// The waveforms are not whole: their file could not be written.
    pub(crate) waves_failure: Option<Failure>,
    pub(crate) unseen: Vec<Selection>,
}

/// What was recorded, and the time base that makes ns of its ticks.
pub struct Recorded {
    /// The observers.
    pub recording: Recording,
    /// What the run was over.
    pub network: Arc<Network>,
    /// For conversions.
    pub time_base: TimeBase,
}

/// Time between samples: as given, else about 1/100 of a bin, odd, to drift through packets.
fn interval_of(config: &FabricConfig, ns: Option<u64>) -> Span {
    let hundredth = Span((config.run.series_bin.0 / 100) | 1);
    let interval = ns.map_or(hundredth, |ns| config.time_base.ns_to_ticks_ceil(ns));
    interval.max(Span(2))
}

/// Simulates a scenario with both recorders; `step` is called 200 times on the way. Results are
/// those of a run without them.
///
/// # Errors
/// Configuration, deadlock, interrupt.
///
/// # Panics
/// When an invariant of the model is broken.
pub fn simulate_recorded(
    scenario: &Scenario,
    engine: Engine,
    interval_ns: Option<u64>,
    step: &dyn Fn(),
) -> Result<(Record, Recorded), Failure> {
    let wanted = Wanted { record: true, interval_ns, ..Wanted::default() };
    let (record, inspected) = simulate_inspected(scenario, engine, &wanted, step)?;
    let recorded = inspected.recorded.expect("a recording was wanted");
    Ok((record, recorded))
}

/// Simulates with what is wanted, results as without; `step` is called 200 times on the way.
pub(crate) fn simulate_inspected(
    scenario: &Scenario,
    engine: Engine,
    wanted: &Wanted<'_>,
    step: &dyn Fn(),
) -> Result<(Record, Inspected), Failure> {
    let config = build(scenario)?;
    let mut inspection = inspection(&config, wanted)?;
    let written = wanted.messages.map(MessageFile::create).transpose()?;
    inspection.messages = written.as_ref().map(|written| written.log(&config));
    let mut run = Run::inspected(&config, engine, inspection)?;
    let file = wanted.waves.and_then(|waves| waves.waves.as_ref());
    if let Some(file) = file {
        run.begin_waves(|signals, start| file.create(signals, start))
            .map_err(|error| file.failure(&error))?;
    }
    let driven = drive(&mut run, step, |run, until| {
        // What led to a broken invariant is printed too.
        let result = catch_unwind(AssertUnwindSafe(|| run.step_recorded(until)));
        emit(run.extras_mut().filter_map(|extra| extra.watch.as_mut()));
        if result.is_err() {
            let _ = run.end_waves(); // they show what led to it
        }
        result.unwrap_or_else(|panic| resume_unwind(panic))
    });
    let ended = run.end_waves();
    let cpu_seconds = driven?;
    run.end_recording();
    let (record, mut inspection) = run.finish(cpu_seconds);
    if let (Some(mut messages), Some(written)) = (inspection.messages.take(), written) {
        messages.flush();
        drop(messages);
        written.finish()?;
    }
    emit(inspection.watch.as_mut());
    let unseen = inspection.watch.iter().flat_map(|watch| watch.unseen());
    let waves_failure = file.and_then(|file| Some(file.failure(&ended.err()?)));
    let inspected = Inspected {
        waves_failure,
        unseen: unseen.copied().collect(),
        recorded: inspection.recording.map(|recording| Recorded {
            recording,
            network: Arc::clone(&config.network),
            time_base: config.time_base,
        }),
    };
    Ok((record, inspected))
}

fn inspection(config: &FabricConfig, wanted: &Wanted<'_>) -> Result<Inspection, Failure> {
    let interval = interval_of(config, wanted.interval_ns);
    let mut inspection = Inspection {
        recording: wanted.record.then(|| fabric::recording(config, interval)),
        ..Inspection::default()
    };
    for watch in wanted.watches {
        let refused = |error| Failure::error(Exit::Usage, format!("--watch {watch}: {error}"));
        watch.check(&config.network).map_err(refused)?;
    }
    if !wanted.watches.is_empty() {
        inspection.watch = Some(fabric::watch(config, wanted.watches.to_vec())?);
    }
    if let Some(args) = wanted.waves {
        inspection.waves = Some(waves::observer(args, config)?);
    }
    Ok(inspection)
}

/// The messages of a run as a trace: a file being written, or its error, reported at the end.
struct MessageFile {
    path: PathBuf,
    out: Arc<Mutex<io::Result<BufWriter<File>>>>,
}

impl MessageFile {
    fn create(path: &Path) -> Result<MessageFile, Failure> {
        let begun = File::create(path).and_then(|file| {
            let mut out = BufWriter::new(file);
            writeln!(out, "{HEADER_TICKS}").map(|()| out)
        });
        let out = begun.map_err(|error| failed(path, &error))?;
        Ok(MessageFile { path: path.to_owned(), out: Arc::new(Mutex::new(Ok(out))) })
    }

    fn log(&self, config: &FabricConfig) -> MessageLog {
        let summaries = config.workload.summaries.iter();
        let asks = summaries.map(|group| group.replies.is_some()).collect();
        let out = Arc::clone(&self.out);
        let sink = move |logged: inspect::Logged| {
            let message = Message {
                id: logged.id,
                time_ns: logged.tick.0,
                source: logged.source,
                destination: logged.destination,
                bytes: logged.bytes.into(),
                after: logged.after,
            };
            let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
            let written = out.as_mut().ok().map(|out| writeln!(out, "{message}"));
            if let Some(Err(error)) = written {
                *out = Err(error);
            }
        };
        MessageLog::new(asks, Box::new(sink))
    }

    fn finish(self) -> Result<(), Failure> {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let out = std::mem::replace(&mut *out, Err(io::ErrorKind::Other.into()));
        let ended = out.and_then(|mut out| out.flush());
        ended.map_err(|error| failed(&self.path, &error))
    }
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    let what = format!("--record-messages {}: {error}", path.display());
    Failure::error(Exit::Failure, what)
}
