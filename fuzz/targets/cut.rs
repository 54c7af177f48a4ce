#![no_main]

#[path = "../inputs/cut.rs"]
mod input;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| input::check(bytes));
