#![no_main]

#[path = "assemble.rs"]
mod assemble;

libfuzzer_sys::fuzz_target!(|data: &[u8]| assemble::one("vcpu", data));
