//! One switch.
mod config;
pub use config::*;
