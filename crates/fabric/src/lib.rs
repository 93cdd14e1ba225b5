//! The clock.
mod config;
mod record;
pub use config::*;
pub use record::*;
