//! `--record-messages`: the messages of a run as a trace.

use crate::exit::{Exit, Failure};
use inspect::MessageLog;
use plan::FabricConfig;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use trace::{HEADER_TICKS, Message, MessageWriter};

/// A file that is being written; what goes wrong is told at the end.
pub(crate) struct Written {
    path: PathBuf,
    out: Arc<Mutex<Out>>,
}

struct Out {
    writer: Option<MessageWriter<BufWriter<File>>>,
    failed: Option<io::Error>,
}

impl Written {
    /// Begins the file.
    pub(crate) fn create(path: &Path) -> Result<Written, Failure> {
        let begun = File::create(path)
            .and_then(|file| MessageWriter::new(BufWriter::new(file), HEADER_TICKS));
        let writer = begun.map_err(|error| failure(path, &error))?;
        let out = Out { writer: Some(writer), failed: None };
        Ok(Written { path: path.to_owned(), out: Arc::new(Mutex::new(out)) })
    }

    /// What writes it.
    pub(crate) fn log(&self, config: &FabricConfig) -> MessageLog {
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
            let Out { writer, failed } = &mut *out;
            if let (Some(writer), None) = (writer, &failed) {
                *failed = writer.write(&message).err();
            }
        };
        MessageLog::new(asks, Box::new(sink))
    }

    /// Ends the file.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = match (out.failed.take(), out.writer.take()) {
            (Some(error), _) => Err(error),
            (None, Some(writer)) => writer.into_inner().flush(),
            (None, None) => Ok(()),
        };
        ended.map_err(|error| failure(&self.path, &error))
    }
}

fn failure(path: &Path, error: &io::Error) -> Failure {
    let message = format!("error: --record-messages {}: {error}", path.display());
    Failure::new(Exit::Failure, message)
}
