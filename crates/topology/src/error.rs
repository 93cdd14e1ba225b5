//! Why a network was refused.

use std::ops::RangeInclusive;

use thiserror::Error;
use turnpool::PoolKind;

use crate::builder::GraphError;
use crate::deadlock::Cycle;
use crate::graph::VCS_MAX;
use crate::path::{Path, RouteError};

/// A parameter of a topology that is not legal.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{key} = {given} is not legal; legal: {legal}")]
pub struct ConfigError {
    /// The scenario key.
    pub key: &'static str,
    /// What was given.
    pub given: String,
    /// What is legal.
    pub legal: String,
}

impl ConfigError {
    pub(crate) fn new(key: &'static str, given: impl ToString, legal: String) -> Self {
        Self { key, given: given.to_string(), legal }
    }

    /// Refuses a number outside of a range; `why` follows what is legal.
    pub(crate) fn check(
        key: &'static str,
        given: u32,
        legal: RangeInclusive<u32>,
        why: &str,
    ) -> Result<(), Self> {
        match legal.contains(&given) {
            true => Ok(()),
            false => {
                Err(Self::new(key, given, format!("{} to {}{why}", legal.start(), legal.end())))
            }
        }
    }
}

/// What a deadlock has to do with the number of virtual channels.
fn too_few(vcs: u8, needed: Option<u8>) -> String {
    needed.map_or(String::new(), |needed| {
        format!("; switch.vcs = {vcs} is too few for this routing; legal: {needed} to {VCS_MAX}")
    })
}

/// Why a network was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TopologyError {
    /// A parameter is not legal.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The wiring is not legal.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The file of global links is not legal.
    #[error(transparent)]
    GlobalLinks(#[from] GlobalLinksError),
    /// A routing rule or table that does not fit its graph, or not its own declaration.
    #[error("{0}")]
    Rule(String),
    /// Some pair has no route.
    #[error(transparent)]
    Route(#[from] RouteError),
    /// The longest route does not fit the turn pool.
    #[error(
        "the longest route needs {bits} bits of turns, turnpool `{pool}` has {}: {longest}{}",
        pool.bits(),
        if *bits <= PoolKind::Extended.bits() { "; legal: `extended`" } else { "" }
    )]
    PoolOverflow {
        /// Bits that the longest route needs.
        bits: u32,
        /// The pool.
        pool: PoolKind,
        /// The longest route.
        longest: Box<Path>,
    },
    /// The routes can deadlock.
    #[error(
        "the channel dependency graph has a cycle, so the routes can deadlock: {cycle}{}",
        too_few(*vcs, *needed)
    )]
    Deadlock {
        /// The cycle.
        cycle: Cycle,
        /// Virtual channels of the network.
        vcs: u8,
        /// How many the routing rule uses where it has them; `None` where more would not help.
        needed: Option<u8>,
    },
}

/// Global links that were refused, and where, from 1; line 0 is the file as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {what}; legal: {legal}")]
pub struct GlobalLinksError {
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
    /// What is wrong.
    pub what: String,
    /// What is legal.
    pub legal: String,
}
