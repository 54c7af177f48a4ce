//! Errors on their way to JavaScript: an `EngineError` of `web/engine/protocol.ts` as JSON text.

use serde::Serialize;
use tracecore::error::OpenError;
use wasm_bindgen::JsValue;

#[derive(Serialize)]
struct EngineError<'a> {
    kind: &'a str,
    what: &'a str,
    r#where: Option<&'a str>,
    advice: &'a str,
}

fn thrown(error: &EngineError<'_>) -> JsValue {
    JsValue::from_str(&serde_json::to_string(error).unwrap_or_else(|_| error.what.to_owned()))
}

/// A file that cannot be opened.
pub(crate) fn open_error(error: &OpenError) -> JsValue {
    thrown(&EngineError {
        kind: error.kind(),
        what: &error.what(),
        r#where: error.place().map(|place| place.to_string()).as_deref(),
        advice: error.advice(),
    })
}

/// A message that the two sides of the engine do not agree on.
pub(crate) fn internal(what: &str) -> JsValue {
    thrown(&EngineError {
        kind: "internal",
        what,
        r#where: None,
        advice: "Reload the page; its parts may be of different versions.",
    })
}

/// What was asked for cannot be had.
pub(crate) fn unsupported(what: &str, advice: &str) -> JsValue {
    thrown(&EngineError {
        kind: "unsupported",
        what,
        r#where: None,
        advice,
    })
}
