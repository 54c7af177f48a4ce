//! Rows of numbers: tables of a window, statistics, summaries, and relations with named columns.
//! Imports `select`, `jobs` and `lanes`; `explain` and `tables` do not know each other.

pub(super) mod commands;
pub(super) mod damage;
pub(super) mod missing;
pub(super) mod pair_sums;
pub mod relations;
pub(super) mod rows;
pub(super) mod stats;
pub(super) mod stats_answer;
pub(super) mod summary;
pub(super) mod topology;
pub(super) mod window;
