//! Tinyhouse on the AVR: built by scrimp, played through its serial line, its generator
//! called from here, all compared with a referee.

mod device;
mod model;
mod play;
mod rules;
mod strength;

#[test]
fn it_is_small() {
    let bytes = device::flash_bytes();
    assert!(bytes <= 1024, "{bytes} bytes");
}
