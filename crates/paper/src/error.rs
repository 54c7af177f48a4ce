//! Why a drawing cannot be written.

/// What was found, and what was expected instead.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PaperError {
    /// The image would have too many pixels.
    #[error("an image of {width} x {height} pixels; expected at most 100 million: lower the dpi, or make the figure smaller")]
    Pixels {
        /// Pixels across.
        width: f64,
        /// Pixels downwards.
        height: f64,
    },
}
