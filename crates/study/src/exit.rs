//! How runs and the command line end: [`Exit`], and [`RunFailure`] of a run that did not finish.

use serde::{Deserialize, Serialize};
use std::any::Any;
use std::process::ExitCode;

/// Exit codes of the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum Exit {
    /// Done.
    Ok = 0,
    /// It did not work.
    Failure = 1,
    /// Usage or configuration.
    Usage = 2,
    /// Deadlock or livelock.
    Deadlock = 3,
    /// A broken invariant of the model.
    BrokenInvariant = 4,
    /// A result that is not what was asked for: a packet that was to be watched never was, or with
    /// `--strict` a mean is not known as well as it was to be.
    NotAsAsked = 5,
    /// A trace that is broken, cut off or of no known format.
    BadTrace = 6,
    /// Interrupted.
    Interrupted = 130,
}

impl Exit {
    /// The number that the shell sees.
    pub fn code(self) -> i32 {
        self as i32
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// A run that did not finish.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct RunFailure {
    /// How the command line ends for it.
    pub exit: Exit,
    /// What happened.
    pub message: String,
}

impl RunFailure {
    /// What a panic says. One with [`units::Broken`] is a broken invariant of the model.
    pub fn of_panic(payload: &(dyn Any + Send)) -> RunFailure {
        if let Some(broken) = payload.downcast_ref::<units::Broken>() {
            return RunFailure { exit: Exit::BrokenInvariant, message: broken.to_string() };
        }
        let text = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied());
        let (exit, message) = match text {
            Some(text) => (Exit::Failure, format!("panicked: {text}")),
            None => (Exit::Failure, "panicked".to_string()),
        };
        RunFailure { exit, message }
    }
}
