//! Content-addressable memory of RECN: one line per SAQ, longest match over prefixes of turns.
//!
//! A line holds a [`Point`](turnpool::Point) as turns and mask and the bits V, B, R and leaf (spec
//! `recn.md`, CAM line; priya-recn-iq-2017). Hardware compares all lines at once; here eight at a
//! time are, by the first bits of their turns, and those few that agree are compared in whole.
//! Flags are bit masks; the price is a fixed limit of 64 lines.
//!
//! ```
//! use cam::{Allocation, Cam};
//! use turnpool::{Point, Route};
//! use units::LineId;
//! let mut cam = Cam::new(8);
//! let near = Point::from_turn(5, 3);
//! let far = near.prepend(2, 3)?;
//! assert_eq!(cam.allocate(Point::from_turn(2, 3)), Allocation::Allocated(LineId(0)));
//! assert_eq!(cam.allocate(far), Allocation::Allocated(LineId(1)));
//! let mut route = Route::EMPTY;
//! route.push_back(2, 3)?;
//! route.push_back(5, 3)?;
//! assert_eq!(cam.lookup(&route), Some(LineId(1))); // the longest match wins
//! # Ok::<(), turnpool::RouteTooLong>(())
//! ```
//!
//! This crate models neither queues, ports nor time: what an allocation does is up to the caller.

mod cost;
mod filter;
mod lines;
mod lookup;

pub use cost::line_bits;
pub use lines::{Allocation, Cam, CamError, LINES_MAX};
