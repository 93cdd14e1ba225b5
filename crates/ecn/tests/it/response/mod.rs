//! The response of a source.

mod common;
mod config;
mod dcqcn;
mod formulas;
mod properties;
mod recovery;
mod window;
