//! Fault discovery and recovery (FD/FR) of one router with two-level tables: registers in, effects
//! out.
//!
//! When links and nodes fail, an entry of the tables must lose the ports behind which nothing leads
//! on, and no others; when they come back it must get them again. Each router does so by the
//! messages of its neighbours: FD ("cannot reach C through me") and FR ("can again"). Source: spec
//! `rsi.md`, Fault discovery and recovery; `lai-rsi`.
//!
//! Main decision: a message is about one entry and one link, so each end keeps, for each port and
//! entry, one bit: the last message from there. The cost: a link that comes up is used only after
//! both ends have sent their empty entries. [`Protocol::Paper`] keeps the published rules, which
//! leave wrong tables.
//!
//! ```
//! use hierarchy::recovery::{Configured, Effect, Message, Protocol, Recovery, Region};
//! use hierarchy::TwoLevelTable;
//! use units::PortId;
//! // Node 0 of a super node of three, all neighbours: port 0 to node 1, port 1 to node 2. Super
//! // node 1 is behind the link of node 2.
//! let table = TwoLevelTable::new([0, 0b01, 0b10].into(), [0, 0b10].into());
//! let tables = Configured::new(table, 0b11, 0)?;
//! let mut unit = Recovery::new(Protocol::PerEntry, tables);
//! let mut effects = Vec::new();
//! let far = Region::SuperNode(1);
//! unit.receive(PortId(1), Message::Unreachable(far), &mut effects)?;
//! assert_eq!(unit.entry(far), 0);
//! let sent = |port| Effect::Send { port: PortId(port), message: Message::Unreachable(far) };
//! assert_eq!(effects, [Effect::Entry { region: far, ports: 0 }, sent(0), sent(1)]);
//! # Ok::<(), hierarchy::recovery::RecoveryError>(())
//! ```
//!
//! It does not know routes, wires, packets, time, or who is behind a port.

mod configured;
mod message;
mod paper;
mod per_entry;
mod unit;

pub use configured::{Configured, RecoveryError};
pub use message::{Address, Effect, Message, Region, Stamp};
pub use unit::{Protocol, Recovery};
