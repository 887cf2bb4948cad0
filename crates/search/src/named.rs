//! Enums with names: the macro that gives an enum the spelling used on command lines and in files.

/// A value that is none of the names of an enum.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{value}` is not {what}; expected {}", .expected.join(", "))]
pub struct UnknownName {
    /// What the value should have been, such as "a search mode".
    pub what: &'static str,
    /// The value.
    pub value: String,
    /// The names that exist.
    pub expected: &'static [&'static str],
}

/// Declares an enum whose variants have names: `NAMES`, `name`, `Display` and `FromStr`.
macro_rules! named_enum {
    (
        $what:literal;
        $(#[$meta:meta])*
        $visibility:vis enum $name:ident {
            $($(#[$variant_meta:meta])* $variant:ident = $text:literal,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $visibility enum $name {
            $($(#[$variant_meta])* $variant,)+
        }

        impl $name {
            /// All values, in the order of [`NAMES`](Self::NAMES).
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];
            /// The names of all values.
            pub const NAMES: &'static [&'static str] = &[$($text,)+];

            /// The name of this value.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::UnknownName;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($text => Ok(Self::$variant),)+
                    _ => Err($crate::UnknownName {
                        what: $what,
                        value: text.to_owned(),
                        expected: Self::NAMES,
                    }),
                }
            }
        }
    };
}

pub(crate) use named_enum;
