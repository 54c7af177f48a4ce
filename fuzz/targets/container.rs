#![no_main]

#[allow(dead_code, reason = "each target has one of the formats")]
#[path = "../inputs/imports.rs"]
mod input;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| input::container(bytes));
