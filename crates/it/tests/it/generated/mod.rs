//! Files that were never recorded: shapes that no machine at hand produces, and damage. They are written by `tracegen`,
//! which shares no code with the reader.

mod damage;
mod lost;
mod parts;
mod refused;
mod shapes;
mod told;
