//! Scenario and study files: TOML in, checked values out.

#![allow(missing_docs)]
mod build;
mod defaults;
mod error;
mod hardware;
mod keys;
mod network;
mod plain;
mod resolve;
mod scenario;
mod schema;
mod settings;
mod source;
mod study;
mod traffic;
mod value;

pub use error::{Errors, Place, ScenarioError};
pub use scenario::{Scenario, Set, SetError};
pub use schema::schema;
pub use study::{Point, Study};
