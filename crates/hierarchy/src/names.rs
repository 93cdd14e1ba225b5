//! Names of the kinds, as scenarios spell them.

use std::fmt;

/// A name that stands for none of the kinds of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownName {
    /// The name.
    pub given: String,
    /// Those that are legal.
    pub legal: &'static [&'static str],
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}; legal: {}", self.given, self.legal.join(", "))
    }
}

impl std::error::Error for UnknownName {}

macro_rules! named {
    ($( $(#[$doc:meta])* $kind:ident { $( $(#[$of:meta])* $variant:ident = $name:literal ),+ $(,)? } )+) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $kind { $( $(#[$of])* $variant ),+ }

        impl $kind {
            /// Legal names, in the order of the variants.
            pub const NAMES: &'static [&'static str] = &[$( $name ),+];

            /// All, in the order of the names.
            pub const ALL: &'static [$kind] = &[$( $kind::$variant ),+];

            /// Its name in scenarios.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $( $kind::$variant => $name ),+ }
            }
        }

        impl std::fmt::Display for $kind {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $kind {
            type Err = crate::UnknownName;
            fn from_str(given: &str) -> Result<$kind, crate::UnknownName> {
                let known = $kind::ALL.iter().find(|kind| kind.name() == given);
                known.copied().ok_or_else(|| crate::UnknownName {
                    given: given.to_string(),
                    legal: $kind::NAMES,
                })
            }
        }
    )+ };
}
pub(crate) use named;
