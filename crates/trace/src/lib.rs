//! Traces: of I/O, read as records and mapped to messages between end nodes, and of messages.
//!
//! [`open`] gives the messages of a file of either kind, whatever its format and compression;
//! [`Trace`] is the reader, [`Mapping`] turns a record into messages, [`Summary`] what a
//! trace holds, [`Synthetic`] makes one, [`Message`] is displayed as its line of a CSV, which
//! [`Packed`] packs.
//!
//! ```
//! use trace::{Mapping, Options, Stream, Trace};
//!
//! let csv = "128166372003061629,hm,0,Read,383496192,32768,4011\n\
//!            128166372003062129,hm,0,Write,2822144000,4096,2000\n";
//! let open = || Trace::new(csv.as_bytes(), "hm_0.csv", &Options::default());
//! let mapping = Mapping::halves(4)?; // nodes 0 and 1 are hosts, 2 and 3 devices
//! let messages: Vec<_> = Stream::new(open, &mapping, 4)?.collect::<Result<_, _>>()?;
//! let [request, reply, data, acknowledgement] = messages[..] else { panic!("4 messages") };
//! assert_eq!((request.source, request.destination, request.bytes), (0, 2, 64));
//! assert_eq!((reply.source, reply.bytes, reply.after), (2, 32_768, Some(request.id)));
//! assert_eq!((data.time_ns, data.bytes), (50_000, 4096)); // ns after the first record
//! assert_eq!(acknowledgement.after, Some(data.id));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Everything is a stream: a reader holds one buffer of 64 KiB, names of at most [`NAMES_MAX`]
//! devices, and a bounded number of records to bring them in the order of time; one that is further
//! from its place is an error. Out of scope: ticks, packets, the model, the wall clock.

mod compression;
mod error;
mod input;
mod line;
mod mapping;
mod messages;
mod options;
mod rate;
mod record;
mod records;
mod srt;
mod stream;
mod summary;
mod synthetic;
mod text;
mod trace;

pub use compression::{Compression, Packed};
pub use error::{Place, Problem, SettingError, TraceError};
pub use mapping::{HostRule, Mapping, REQUEST_BYTES, Timing};
pub use messages::{AFTER_MESSAGES, HEADER, HEADER_TICKS, Message};
pub use options::{Action, Format, Options, REORDER_RECORDS};
pub use rate::{BINS, Dispersion, Rate, WINDOWS_MIN};
pub use record::{Item, NAMES_MAX, Operation, Record};
pub use records::{Records, Seen};
pub use stream::{PlayError, Stream, made, open};
pub use summary::{Kind, Operations, Sizes, Summary};
pub use synthetic::{Requests, Synthetic};
pub use trace::Trace;
