//! Sets of names, for reading and printing: one table each; and numbers for people.

/// A word that names nothing in a set of names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {kind} `{given}`; legal: {}", legal.join(", "))]
pub struct UnknownName {
    /// What was to be named, such as `pattern`.
    pub kind: &'static str,
    /// The word that was given.
    pub given: String,
    /// Every legal word.
    pub legal: &'static [&'static str],
}

/// An enum with `ALL`, `NAMES`, `name()`, `Display` and `FromStr`: as it is written, with its kind
/// behind its name and a name behind each variant.
#[macro_export]
macro_rules! named {
    ($(#[$enum:meta])* pub enum $type:ident: $kind:literal {
        $($(#[$meta:meta])* $variant:ident = $name:literal),+ $(,)?
    }) => {
        $(#[$enum])*
        pub enum $type { $($(#[$meta])* $variant),+ }

        impl $type {
            /// Every value, in the order of [`Self::NAMES`].
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
            /// All names, in the order of the variants.
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            /// Its name.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::UnknownName;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                let named = Self::ALL.iter().copied().find(|value| value.name() == word);
                named.ok_or_else(|| $crate::UnknownName {
                    kind: $kind,
                    given: word.to_owned(),
                    legal: Self::NAMES,
                })
            }
        }
    };
}

/// With a comma at the thousands: 12,345,678.
pub fn grouped(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
