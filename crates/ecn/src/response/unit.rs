//! The unit: registers of one flow at its source.

use std::sync::Arc;

use thiserror::Error;
use units::Tick;

use super::acks::Register;
use super::dcqcn::ReactionPoint;
use super::{Algorithm, Config, Dcqcn, Spacing};

/// A broken invariant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ResponseError {
    /// A packet starts although the window is closed.
    #[error("a packet starts with {window} of {window} outstanding")]
    WindowClosed {
        /// Packets that may be outstanding.
        window: u32,
    },
    /// An ACK comes that no packet is waiting for.
    #[error("an ACK comes with no packet outstanding")]
    NoneOutstanding,
}

/// Registers of the algorithm; of those that answer ACKs with M.
#[derive(Clone, Copy, PartialEq, Debug)]
enum State {
    None,
    Acks(Register, u32),
    Dcqcn(ReactionPoint),
}

/// The response of a source, one a flow: `ecn.response` (spec: ecn.md, Source response).
///
/// Starts at the initial rate with nothing outstanding. Ticks that are handed in do not fall.
#[derive(Clone, PartialEq, Debug)]
pub struct Response {
    config: Arc<Config>,
    state: State,
    outstanding: u32,
    /// Start and bytes of the last packet.
    last: Option<(Tick, u32)>,
}

impl Response {
    /// A flow that has sent nothing.
    pub fn new(config: impl Into<Arc<Config>>) -> Response {
        let config = config.into();
        let state = match Register::new(config.algorithm, config.initial_rate) {
            Some((register, m)) => State::Acks(register, m),
            None if matches!(config.algorithm, Algorithm::Dcqcn(_)) => {
                State::Dcqcn(ReactionPoint::new())
            }
            None => State::None,
        };
        Response { config, state, outstanding: 0, last: None }
    }

    /// A packet of so many bytes starts; of [`next_start`](Self::next_start) the window alone is
    /// checked here.
    ///
    /// # Errors
    /// If the window is closed.
    pub fn sent(&mut self, bytes: u32, now: Tick) -> Result<(), ResponseError> {
        self.settle(now);
        if let Some(window) = self.config.window {
            if self.outstanding >= window {
                return Err(ResponseError::WindowClosed { window });
            }
            self.outstanding += 1;
        }
        self.last = Some((now, bytes));
        if let Some((point, config)) = self.dcqcn() {
            point.sent(config, bytes);
        }
        Ok(())
    }

    /// The ACK of a packet has come, with the mark that it carries. `dcqcn` does not look at marks.
    ///
    /// # Errors
    /// With a window, if no packet is outstanding.
    pub fn acked(&mut self, marked: bool, now: Tick) -> Result<(), ResponseError> {
        self.settle(now);
        if self.config.window.is_some() {
            let left = self.outstanding.checked_sub(1);
            self.outstanding = left.ok_or(ResponseError::NoneOutstanding)?;
        }
        if let State::Acks(register, m) = &mut self.state {
            register.acked(marked, *m);
        }
        Ok(())
    }

    /// A CNP has come. Nothing but with `dcqcn`.
    pub fn cnp(&mut self, now: Tick) {
        self.settle(now);
        if let Some((point, config)) = self.dcqcn() {
            point.cnp(config, now);
        }
    }

    /// When the next packet may start, from now on: x times the last packet's time after its start.
    /// [`Tick::MAX`] while the window is closed. An ACK or a CNP changes it, and what comes by
    /// itself at [`due`](Self::due).
    pub fn next_start(&mut self, now: Tick) -> Tick {
        self.settle(now);
        if self.config.window.is_some_and(|most| self.outstanding >= most) {
            return Tick::MAX;
        }
        let Some((start, bytes)) = self.last else {
            return now;
        };
        let wait = self.spacing().ticks(bytes, self.config.ticks_per_byte);
        start.saturating_add(wait).max(now)
    }

    /// When a timer next raises the rate, and [`next_start`](Self::next_start) may fall; later than
    /// the tick of the last call. `None`: never.
    pub fn due(&self) -> Option<Tick> {
        match &self.state {
            State::Dcqcn(point) => point.due(),
            _ => None,
        }
    }

    /// x as of the last call that took the tick.
    pub fn spacing(&self) -> Spacing {
        match &self.state {
            State::None => Spacing::NONE,
            State::Acks(register, m) => register.spacing(*m),
            State::Dcqcn(point) => point.spacing(),
        }
    }

    /// alpha of `dcqcn` times 2^32, as of the last call that took the tick; `None` of others.
    pub fn alpha(&self) -> Option<u64> {
        match &self.state {
            State::Dcqcn(point) => Some(point.alpha()),
            _ => None,
        }
    }

    /// Packets without an ACK; 0 without a window.
    pub fn outstanding(&self) -> u32 {
        self.outstanding
    }

    fn dcqcn(&mut self) -> Option<(&mut ReactionPoint, &Dcqcn)> {
        match (&mut self.state, &self.config.algorithm) {
            (State::Dcqcn(point), Algorithm::Dcqcn(config)) => Some((point, config)),
            _ => None,
        }
    }

    fn settle(&mut self, now: Tick) {
        if let Some((point, config)) = self.dcqcn() {
            point.settle(config, now);
        }
    }
}
