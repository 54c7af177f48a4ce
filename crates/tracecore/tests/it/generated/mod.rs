//! Files that nobody recorded: shapes that no machine at hand has, and damage. Written by `tracegen`, which shares no
//! code with the reader.

mod damage;
mod lost;
mod parts;
mod refused;
mod shapes;
mod told;
