//! How the source of a flow answers congestion marks: its window and its rate.
//!
//! [`Response`] holds the registers of one flow. It counts what starts and what comes back, and
//! gives the tick at which the next packet may start: not before x packet times after the last one,
//! where x is the link rate over the flow's rate. `lipd`, `fimd` and `aimd` change x or the rate on
//! every ACK; `dcqcn` on CNPs, timers and bytes. Source: spec pages `ecn.md` (Source response) and
//! `pfc.md` (DCQCN).
//!
//! Main decision: the same bits on every machine. Rates (of the link rate), spacings and DCQCN's
//! alpha are fixed point with 32 binary places; FIMD alone has a 64-bit floating-point number, with
//! quotients and products as IEEE 754 has them and powers from `libm`. The cost: rates differ from
//! exact ones by some 2^-32 of the link rate a step, and one is never below 2^-20.
//!
//! ```
//! use ecn::response::{Algorithm, Config, Response};
//! use units::{Ratio, Tick};
//!
//! // Packets of 100 bytes, one tick a byte, two outstanding.
//! let config = Config::new(Algorithm::Lipd { rate_ratio: 512 }, Some(2), Ratio::ONE)?;
//! let mut flow = Response::new(config);
//! flow.sent(100, Tick(0))?;
//! assert_eq!(flow.next_start(Tick(0)), Tick(100));
//! flow.acked(true, Tick(60))?; // x = 2
//! assert_eq!(flow.next_start(Tick(60)), Tick(200));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! It does not know queues, links, how a mark came about, or the form of an ACK.

mod acks;
mod config;
mod dcqcn;
mod fixed;
mod rule;
mod unit;

pub use config::{Config, ConfigError};
pub use dcqcn::{Dcqcn, DcqcnError, NotificationPoint};
pub use fixed::{RATIO_MAX, Spacing};
pub use rule::Algorithm;
pub use unit::{Response, ResponseError};
