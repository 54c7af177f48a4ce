//! Recordings of other tools, against what these tools say about them; and files made here, of shapes that no machine at hand
//! writes.

mod damage;
mod perf;
mod perf_writer;
mod schedviz;
mod support;
mod text;
