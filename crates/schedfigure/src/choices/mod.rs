//! What is asked for: the choices of a figure, how they are read and written, what a figure is about, and errors.
//! Imports `paint` only.

pub(super) mod colour;
pub(super) mod command;
pub(super) mod counter;
pub(super) mod error;
pub(super) mod fragment;
pub(super) mod option_names;
pub(super) mod request;
pub(super) mod spec;
pub(super) mod subject;
