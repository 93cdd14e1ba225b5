//! AS route headers, turn pools and point identifiers.
//!
//! A route is a list of turns, the offset from the incoming to the outgoing port of each switch.
//! A [`Route`] keeps the turns that remain, left-aligned in 128 bits with the next turn on top, so
//! that a CAM compares all lines at the same bits; the price is 24 bytes per packet where AS itself
//! would need 31 bits and a pointer, as in [`Header`]. A [`Point`] names a point of the network by
//! the turns that lead to it. Source: spec `turnpool.md`.
//!
//! ```
//! use turnpool::{Point, Route, forward, turn, turn_width};
//! let width = turn_width(8, false);
//! let mut route = Route::EMPTY;
//! route.push_back(turn(2, 5, 8), width)?;
//! route.push_back(turn(0, 7, 8), width)?;
//! // The point two hops ahead: the second turn, then the first put in front of it.
//! let point = Point::from_turn(turn(0, 7, 8), width).prepend(turn(2, 5, 8), width)?;
//! assert!(point.matches(&route));
//! assert_eq!(forward(2, route.next(width)?, 8), 5);
//! route.consume(width)?;
//! assert!(!point.matches(&route));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate does not model how switches are wired: the caller that steps a route passes the width
//! of the turn, which follows from the ports of the switch at hand.

mod header;
mod point;
mod pool;
mod route;
mod turn;

pub use header::{Field, Header, HeaderError};
pub use point::Point;
pub use pool::PoolKind;
pub use route::{ROUTE_BITS_MAX, Route, RouteEnded, RouteTooLong};
pub use turn::{TURN_WIDTH_MAX, backward, forward, turn, turn_width};
