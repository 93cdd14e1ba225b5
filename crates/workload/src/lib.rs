//! Traffic: who sends what to whom, when.
//!
//! [`WorkloadConfig::build`] makes a [`Generator`] of each source in each group, from which the
//! engine pulls messages. Arrivals are exact: intervals are fractions of ticks, loads are ratios,
//! draws are of integers, so a rate is met to one message over any window. The cost: about 1 / load
//! draws a message with Bernoulli arrivals. Every draw is from a stream of its own, named after
//! node, group and purpose ([`rng::stream`]): a new node or group changes no other stream.
//!
//! ```
//! use workload::{GroupConfig, Sources, WorkloadConfig};
//!
//! // garcia-trees-2005, case 3: 75 % random sources at 50 %, 25 % hot sources at 100 % to node 32,
//! // all at once.
//! let config = WorkloadConfig {
//!     load: Some("0.5".parse()?),
//!     hot: Some(GroupConfig {
//!         destinations: vec![32],
//!         sources: Sources::Share("0.25".parse()?),
//!         start_ns: 800_000,
//!         end_ns: Some(1_100_000),
//!         ..GroupConfig::default()
//!     }),
//!     ..WorkloadConfig::default()
//! };
//! let base = units::TimeBase::new(2, "1".parse()?, "1.5".parse()?)?;
//! let mut workload = config.build(64, &base, 1)?;
//! assert_eq!(workload.groups, ["random", "hot"]);
//! assert_eq!(workload.summaries[1].sources.len(), 16);
//!
//! let (node, generator) = &mut workload.generators[2];
//! assert_eq!(*node, 2); // the first hot source
//! let message = generator.next().expect("a window of 300 us has messages");
//! assert_eq!((message.destination, message.bytes), (32, 64));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A group may ask for [`Replies`]; the caller makes them, and notifies a closed loop
//! ([`Generator::answered`]). A [`Trace`] gives messages instead of drawing them
//! ([`Generator::give`], [`Generator::arrived`]). Out of scope: the fabric (nodes are numbers),
//! packets, admittance queues, files, the wall clock.

mod arrivals;
mod build;
mod closed;
mod config;
mod error;
mod generator;
mod group;
mod interval;
mod moving;
mod pattern;
mod placement;
mod replay;
mod replies;
pub mod rng;
mod size;

pub use arrivals::{Arrivals, BERNOULLI_LOAD_PARTS_MAX};
pub use build::{RANDOM_GROUP, TRACE_GROUP, Workload};
pub use closed::Closed;
pub use config::{GroupConfig, MovingConfig, Placement, Sources, WorkloadConfig};
pub use error::WorkloadError;
pub use generator::{Generator, GeneratorOptions, Message, Target};
pub use interval::IntervalError;
pub use moving::MOVING_GROUP;
pub use pattern::Pattern;
pub use replay::{Given, Messages, Trace};
pub use replies::{GroupSummary, Replies};
pub use size::{MESSAGE_BYTES_MAX, MessageBytes};
