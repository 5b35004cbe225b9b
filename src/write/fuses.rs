//! The settings that a program has for the hardware, as options for the machine's
//! programmer, a line each. They are in no command that scrimp prints.

use super::context::Context;
use super::view::View;
use scrimp_isa::container::{Contained, ContainerError};

/// Writes it.
pub fn write(c: &Context<'_>) -> Result<Contained, ContainerError> {
    let fault = |message: String, help: Option<&str>| ContainerError {
        message,
        help: help.map(str::to_owned),
        address: None,
        option: None,
    };
    let Some(machine) = c.machine else {
        let help = "choose it with --machine, or in the source";
        return Err(fault("fuses are those of a machine".into(), Some(help)));
    };
    let view = View::new(c.image, &[], c.name);
    let Some(lines) = machine.settings(&view) else {
        return Err(fault(format!("the {} has no fuses", machine.name()), None));
    };
    if lines.is_empty() {
        let spaces: Vec<&str> = c.image.spaces.iter().skip(1).map(|s| s.name).collect();
        return Err(fault(
            "the source sets no fuses".into(),
            spaces
                .contains(&"fuse")
                .then_some("put bytes into a section in the region `fuse`"),
        ));
    }
    let mut text = lines.join("\n");
    text.push('\n');
    super::context::plain(text.into_bytes())
}
