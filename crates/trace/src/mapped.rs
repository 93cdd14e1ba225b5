//! The messages of an I/O trace, one record after the other.

use crate::error::{SettingError, TraceError};
use crate::mapping::Mapping;
use crate::messages::Message;
use crate::record::Record;
use crate::timing::{Clock, Lies};

/// Opens the trace once more.
type Reopen<R> = Box<dyn FnMut() -> Result<R, TraceError> + Send>;

/// Messages of records: times do not go back, ids ascend from 0.
pub struct Mapped<R> {
    mapping: Mapping,
    reopen: Reopen<R>,
    records: Option<R>,
    clock: Clock,
    /// Number of the next record of the trace.
    number: u64,
    next_id: u64,
    /// What is sent back.
    pending: Option<Message>,
    /// Whether this repetition has had a message.
    is_used: bool,
    is_over: bool,
}

impl<R: std::fmt::Debug> std::fmt::Debug for Mapped<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mapped")
            .field("records", &self.records)
            .field("next_id", &self.next_id)
            .finish_non_exhaustive()
    }
}

impl<R: Iterator<Item = Result<Record, TraceError>>> Mapped<R> {
    /// Messages of the records that `open` gives; it is called once for each repetition.
    ///
    /// # Errors
    /// A mapping that is not legal.
    pub fn new(
        mapping: Mapping,
        open: impl FnMut() -> Result<R, TraceError> + Send + 'static,
    ) -> Result<Mapped<R>, SettingError> {
        mapping.check_settings()?;
        Ok(Mapped {
            clock: Clock::new(mapping.timing),
            mapping,
            reopen: Box::new(open),
            records: None,
            number: 0,
            next_id: 0,
            pending: None,
            is_used: false,
            is_over: false,
        })
    }

    /// As [`Mapped::new`], where the trace is open already.
    ///
    /// # Errors
    /// A mapping that is not legal.
    pub fn begun(
        mapping: Mapping,
        records: R,
        open: impl FnMut() -> Result<R, TraceError> + Send + 'static,
    ) -> Result<Mapped<R>, SettingError> {
        let mut mapped = Mapped::new(mapping, open)?;
        mapped.records = Some(records);
        Ok(mapped)
    }

    /// The records of the present repetition.
    pub fn records(&self) -> Option<&R> {
        self.records.as_ref()
    }

    /// The repetition is over; the next one begins, if there is something to repeat.
    fn again(&mut self) {
        if self.clock.again() && self.is_used {
            self.records = None;
            self.is_used = false;
            self.number = 0;
        } else {
            self.is_over = true;
        }
    }

    fn messages(&mut self, record: &Record, time_ns: u64) -> Message {
        let host = self.mapping.host(record, self.number);
        let device = self.mapping.device(record);
        let (there, back) = self.mapping.bytes(record);
        let there = Message {
            id: self.next_id,
            time_ns,
            source: host,
            destination: device,
            bytes: there,
            after: None,
        };
        self.pending = Some(Message {
            id: self.next_id + 1,
            source: device,
            destination: host,
            bytes: back,
            after: Some(there.id),
            ..there
        });
        self.next_id += 2;
        there
    }
}

impl<R: Iterator<Item = Result<Record, TraceError>>> Iterator for Mapped<R> {
    type Item = Result<Message, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(message) = self.pending.take() {
            return Some(Ok(message));
        }
        while !self.is_over {
            let next = match &mut self.records {
                Some(records) => records.next().transpose(),
                None => match (self.reopen)() {
                    Ok(records) => {
                        self.records = Some(records);
                        continue;
                    }
                    Err(error) => Err(error),
                },
            };
            match next {
                Ok(Some(record)) => match self.clock.at(record.time_ns) {
                    Some(Lies::At(time_ns)) => {
                        self.is_used = true;
                        let message = self.messages(&record, time_ns);
                        self.number += 1;
                        return Some(Ok(message));
                    }
                    Some(Lies::Before) => self.number += 1,
                    Some(Lies::Behind) => self.again(),
                    None => {
                        self.is_over = true;
                        return Some(Err(TraceError::of_time()));
                    }
                },
                Ok(None) => self.again(),
                Err(error) => {
                    self.is_over = true;
                    return Some(Err(error));
                }
            }
        }
        None
    }
}
