//! Exit codes and failures.

use fabric::RunError;
use std::any::Any;
use std::fmt::Display;
use std::io::Write;
use study::{RunFailure, StoreError, SweepError, WorkError};

pub use study::Exit;

/// Why a verb did not work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Exit code.
    pub exit: Exit,
    /// What to print on stderr; nothing where it was printed already.
    pub message: String,
}

impl Failure {
    /// A failure with a message.
    pub fn new(exit: Exit, message: impl Into<String>) -> Failure {
        Failure { exit, message: message.into() }
    }

    pub(crate) fn error(exit: Exit, what: impl Display) -> Failure {
        Failure::new(exit, format!("error: {what}"))
    }

    pub(crate) fn interrupted() -> Failure {
        Failure::new(Exit::Interrupted, "interrupted")
    }

    pub(crate) fn of_panic(payload: &(dyn Any + Send)) -> Failure {
        let RunFailure { exit, message } = RunFailure::of_panic(payload);
        Failure::error(exit, message)
    }
}

impl From<Failure> for RunFailure {
    fn from(failure: Failure) -> RunFailure {
        let Failure { exit, message } = failure;
        RunFailure { exit, message }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        let exit = match error {
            StoreError::Io(..) | StoreError::NoPlace(..) | StoreError::Malformed(..) => {
                Exit::Failure
            }
            _ => Exit::Usage, // a directory that is not for this
        };
        Failure::error(exit, error)
    }
}

impl From<SweepError> for Failure {
    fn from(error: SweepError) -> Failure {
        match error {
            SweepError::Store(error) => error.into(),
            SweepError::OtherTask { .. } => Failure::error(Exit::Usage, error),
            _ => Failure::error(Exit::Failure, error),
        }
    }
}

impl From<WorkError> for Failure {
    fn from(error: WorkError) -> Failure {
        match error {
            WorkError::Store(error) => error.into(),
            error => Failure::error(Exit::Usage, error),
        }
    }
}

impl From<scenario::Errors> for Failure {
    fn from(errors: scenario::Errors) -> Failure {
        let exit = if errors.are_of_trace() { Exit::BadTrace } else { Exit::Usage };
        Failure::new(exit, errors.to_string().trim_end())
    }
}

impl From<plan::ConfigError> for Failure {
    fn from(error: plan::ConfigError) -> Failure {
        Failure::error(Exit::Usage, error)
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        let exit = match error {
            RunError::Trace { .. } => Exit::BadTrace,
            _ => Exit::Deadlock,
        };
        Failure::error(exit, error.to_string().trim_end())
    }
}

/// Writes data to stdout. A closed pipe is no failure.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    print_bytes(text.as_bytes())
}

/// As [`print()`], for data that is not always text.
pub(crate) fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::error(Exit::Failure, format!("stdout: {error}")))
        }
        _ => Ok(()),
    }
}

/// Broken invariants are reported once, where they are caught; other panics print as ever.
pub(crate) fn quiet_panics() {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !info.payload().is::<units::Broken>() {
            default(info);
        }
    }));
}
