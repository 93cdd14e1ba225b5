use std::fmt;
use std::str::FromStr;

/// The turn pool of a network: as wide as in AS, or wide enough for longer routes. Never chosen
/// silently.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum PoolKind {
    /// The 31 bits of an AS header.
    #[default]
    As31,
    /// 128 bits, for routes that do not fit an AS header.
    Extended,
}

/// Not the name of a turn pool.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no turn pool is called `{given}`; legal: as31, extended")]
pub struct PoolKindError {
    /// The name as given.
    pub given: String,
}

impl PoolKind {
    /// Bits of turns that a route may have.
    #[inline]
    pub const fn bits(self) -> u32 {
        match self {
            PoolKind::As31 => 31,
            PoolKind::Extended => 128,
        }
    }
}

impl fmt::Display for PoolKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            PoolKind::As31 => "as31",
            PoolKind::Extended => "extended",
        })
    }
}

impl FromStr for PoolKind {
    type Err = PoolKindError;

    fn from_str(name: &str) -> Result<PoolKind, PoolKindError> {
        match name {
            "as31" => Ok(PoolKind::As31),
            "extended" => Ok(PoolKind::Extended),
            _ => Err(PoolKindError { given: name.to_owned() }),
        }
    }
}
