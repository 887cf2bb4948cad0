//! Configuration table macro: type, defaults and descriptions in one place.

/// Declares a table of the configuration. `--print-config` prints its doc comments.
macro_rules! section {
    (
        $(#[doc = $about:literal])+
        $name:ident {
            $(
                $(#[doc = $doc:literal])+
                $field:ident: $type:ty = $default:expr $(; $kind:expr)?
            ),* $(,)?
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct $name {
            $( $(#[doc = $doc])+ pub $field: $type, )*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $( $field: $default, )* }
            }
        }

        impl $name {
            pub(crate) const ABOUT: &'static [&'static str] = &[$($about),+];
            pub(crate) const FIELDS: &'static [$crate::config::Field] = &[
                $( $crate::config::Field {
                    name: stringify!($field),
                    about: &[$($doc),+],
                    kind: $crate::config::section!(@kind $($kind)?),
                }, )*
            ];
        }
    };
    (@kind) => { $crate::config::Kind::Value };
    (@kind $kind:expr) => { $kind };
}

pub(crate) use section;
