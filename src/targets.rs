//! The registration list: the one place in the engine that names targets.

use scrimp_isa::Target;

/// All instruction sets.
pub fn all() -> &'static [&'static dyn Target] {
    &[
        &scrimp_z80::Z80,
        &scrimp_avr::AVR,
        &scrimp_gigatron::Gigatron,
        &scrimp_gigatron::vcpu::Vcpu,
    ]
}

/// A target by name.
pub fn by_name(name: &str) -> Option<&'static dyn Target> {
    all().iter().copied().find(|t| t.name() == name)
}

/// The target where none is named.
pub fn default() -> &'static dyn Target {
    all()[0]
}
