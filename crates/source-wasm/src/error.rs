//! Errors on their way to JavaScript: an `EngineError` of `web/engine/protocol.ts` as JSON text.

use schedrows::SourceError;
use serde::Serialize;
use wasm_bindgen::JsValue;

#[derive(Serialize)]
struct EngineError<'a> {
    kind: &'a str,
    what: &'a str,
    r#where: Option<&'a str>,
    advice: &'a str,
}

fn text_of(error: &EngineError<'_>) -> JsValue {
    JsValue::from_str(&serde_json::to_string(error).unwrap_or_else(|_| error.what.to_owned()))
}

/// A file that cannot be opened or read.
pub fn thrown(error: &SourceError) -> JsValue {
    text_of(&EngineError {
        kind: error.kind.name(),
        what: &error.what,
        r#where: error.place.as_deref(),
        advice: error.advice,
    })
}

/// A message that the two sides of the engine do not agree on.
pub fn internal(what: &str) -> JsValue {
    text_of(&EngineError {
        kind: "internal",
        what,
        r#where: None,
        advice: "Reload the page; its parts may be of different versions.",
    })
}

/// What was asked for cannot be had.
pub fn unsupported(what: &str, advice: &str) -> JsValue {
    text_of(&EngineError {
        kind: "unsupported",
        what,
        r#where: None,
        advice,
    })
}
