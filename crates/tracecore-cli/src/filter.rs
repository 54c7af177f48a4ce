//! Filters as options: wrong ones are shown with marks below what is wrong.

use tracecore::filter::{bind, BoundFilter, Filter, FilterError};
use tracecore::tracedat::TraceFile;

use crate::input::Input;
use crate::Failure;

/// A filter, and how the user wrote it.
#[derive(Clone)]
pub struct FilterText {
    text: String,
    filter: Filter,
}

/// Reads a filter.
pub fn filter(text: &str) -> Result<FilterText, String> {
    match Filter::parse(text) {
        Ok(filter) => Ok(FilterText {
            text: text.to_owned(),
            filter,
        }),
        Err(error) => Err(pointed(text, &error)),
    }
}

impl FilterText {
    /// Makes it ready for the formats of a file.
    pub fn bind(&self, file: &TraceFile<Input>) -> Result<BoundFilter, Failure> {
        bind(file, &self.filter).map_err(|error| Failure(pointed(&self.text, &error)))
    }
}

fn pointed(text: &str, error: &FilterError) -> String {
    format!("{error}\n{}", error.pointed(text))
}
