//! Scenario and study files: TOML in, checked values out.
//!
//! A [`Scenario`] is one run: network, switch, traffic and times. A [`Study`] is one scenario at
//! many points. Both are checked as a whole, `--set` values over them; [`Scenario::build`] makes
//! what the model takes. One table of keys drives reading, defaults, suggestions, the resolved text
//! and the JSON Schema ([`schema()`]): no key is ignored, and all errors are found at once, with
//! their places. A new key is a line in the table and its use in `resolve`.
//!
//! ```
//! use scenario::Scenario;
//!
//! let text = r#"
//!     [network]
//!     topology = "bmin"
//!     nodes = 64
//!     [switch]
//!     scheme = "recn"
//!     speedup = 1.5
//!     [workload]
//!     load = 0.5
//!     [run]
//!     duration_ns = 100_000
//! "#;
//! let scenario = Scenario::parse(text, "small.toml", None, &["recn.saqs=4".parse()?])?;
//! assert_eq!(scenario.get("recn.saqs").as_deref(), Some("4"));
//! assert_eq!(scenario.get("recn.xoff_packets").as_deref(), Some("10")); // the default for 32 KB
//! assert_eq!(scenario.build()?.network.switches(), 48);
//!
//! let misspelt: [scenario::Set; 1] = ["switch.scheme=recm".parse()?];
//! let errors = Scenario::parse(text, "small.toml", None, &misspelt).unwrap_err();
//! assert!(errors.to_string().contains("did you mean \"recn\"?"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Known gap: a rate of its own for a link in an edge list is refused as not modelled yet, also
//! where it gives whole ticks. Only the files that are given are opened, and those that a scenario
//! names.

mod build;
mod dcqcn;
mod defaults;
mod draft;
mod ecn;
mod error;
mod faults;
mod hardware;
mod hierarchical;
mod input;
mod keys;
mod listing;
mod network;
mod node_set;
mod pfc;
mod plain;
mod resolve;
mod scenario;
mod schema;
mod settings;
mod source;
mod study;
mod traced;
mod traffic;
mod until;
mod value;
mod warnings;
mod windows;
mod with_unit;

pub use error::{Errors, Place, ScenarioError, Span};
pub use input::{FILE_BYTES_MAX, Input};
pub use listing::{KeyEntry, key_listing};
pub use scenario::{Scenario, Set, SetError};
pub use schema::schema;
pub use study::{Point, Slurm, Steps, Study, Target};
pub use until::Until;
