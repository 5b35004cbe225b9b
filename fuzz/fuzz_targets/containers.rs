//! Any bytes at any address with any options through a container's writer, and any bytes
//! as a file of that kind into its machine: errors, no panics.
#![no_main]

use libfuzzer_sys::fuzz_target;
use scrimp::targets;
use scrimp_isa::ImageView;
use scrimp_isa::machine::Media;

struct View<'a> {
    address: u64,
    bytes: &'a [u8],
    options: Vec<(&'a str, &'a str)>,
}

impl ImageView for View<'_> {
    fn pieces(&self) -> Vec<(u64, &[u8])> {
        vec![(self.address, self.bytes)]
    }
    fn symbol(&self, name: &str) -> Option<i64> {
        (name == "start").then_some(self.address as i64)
    }
    fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().find(|o| o.0 == name).map(|o| o.1)
    }
    fn name(&self) -> &str {
        "fuzz"
    }
}

fuzz_target!(|input: (u8, u16, &str, &[u8])| {
    let (choice, address, options, bytes) = input;
    let machines = targets::all().iter().flat_map(|t| t.machines());
    let kinds: Vec<_> = machines
        .flat_map(|m| m.containers().iter().map(move |c| (m, c)))
        .collect();
    let (machine, container) = kinds[usize::from(choice) % kinds.len()];
    let view = View {
        address: u64::from(address),
        bytes: &bytes[..bytes.len().min(0x1_0000 - usize::from(address))],
        options: options
            .split(',')
            .filter_map(|o| o.split_once('='))
            .collect(),
    };
    let _ = (container.write)(&view);
    let media = Media {
        program: bytes.to_vec(),
        container: container.name.into(),
        ..Media::default()
    };
    if let Ok(mut simulation) = machine.start(&media, &[0; 0x2000]) {
        simulation.run(2_000);
        simulation.screen();
    }
});
