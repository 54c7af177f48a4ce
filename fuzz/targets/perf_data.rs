#![no_main]

#[path = "../inputs/perf_data.rs"]
mod input;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| input::check(bytes));
