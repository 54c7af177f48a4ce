//! No code: `tests/it` has the tests of the whole.
