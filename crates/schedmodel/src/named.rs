//! Enums whose values are words.

/// Gives an enum its words: `name()` for texts, the same in JSON, and the union of them in TypeScript.
///
/// ```
/// #[derive(Clone, Copy)]
/// enum Side {
///     Left,
///     Right,
/// }
/// schedmodel::named!(Side as "Side" { Left = "left", Right = "right" });
/// assert_eq!(Side::Right.name(), "right");
/// ```
#[macro_export]
macro_rules! named {
    ($type:ident as $typescript:literal { $($variant:ident = $word:literal),+ $(,)? }) => {
        impl $type {
            /// All values.
            pub const ALL: &[$type] = &[$($type::$variant),+];

            /// Their words.
            pub const WORDS: &[&str] = &[$($word),+];

            /// Its word in answers and on the command line.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $word,)+
                }
            }
        }

        impl $crate::named::Serialize for $type {
            fn serialize<S: $crate::named::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl $crate::named::TS for $type {
            type WithoutGenerics = Self;
            type OptionInnerType = Self;

            fn name(_: &$crate::named::Config) -> String {
                $typescript.to_owned()
            }

            fn inline(_: &$crate::named::Config) -> String {
                [$(concat!("\"", $word, "\"")),+].join(" | ")
            }

            fn decl(cfg: &$crate::named::Config) -> String {
                format!("type {} = {};", $typescript, Self::inline(cfg))
            }

            fn output_path() -> Option<std::path::PathBuf> {
                Some(concat!($typescript, ".ts").into())
            }
        }
    };
}

pub use serde::{Serialize, Serializer};
pub use ts_rs::{Config, TS};
