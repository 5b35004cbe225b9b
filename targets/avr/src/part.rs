//! What a source says of its part by itself: the version of its core as the maker's
//! assembler numbers them, with the instructions that are missing or come on top.

use crate::devices::Group;
use crate::features as f;

/// Features of a version of the core; JMP and CALL only where flash is so large that
/// they are needed.
fn of_core(core: &str, flash: u64) -> Option<u32> {
    let far = if flash > 8192 { f::JMP } else { 0 };
    let elpm = if flash > 0x1_0000 {
        f::ELPM | f::ELPMX
    } else {
        0
    };
    let eind = if flash > 0x2_0000 { f::EIND } else { 0 };
    let mega = Group::Avr4.features() | far | elpm;
    Some(match core.to_ascii_uppercase().as_str() {
        "V0" => Group::Avr1.features() & !f::LPM,
        "V0E" => Group::Avr1.features(),
        "V1" => Group::Avr2.features(),
        "V2" => (Group::Avr25.features() & !f::LPMZP) | far | elpm,
        "V2E" => mega,
        "V3" => mega | eind,
        "V3X" | "V3XJ" => Group::Xmega2.features() | far | elpm | eind,
        "V4" | "V4S" => Group::Xmega3.features() | far,
        "AVR8L_0" => Group::AvrTiny.features(),
        _ => return None,
    })
}

/// The features that an instruction needs, as a source names it: `lpm rd,z+`.
fn of_instruction(text: &str) -> u32 {
    let text: String = text.to_ascii_lowercase();
    let mut words = text.split_whitespace();
    let name = words.next().unwrap_or("");
    let operands: String = words.collect();
    match (name, operands.as_str()) {
        ("lpm", "") => f::LPM | f::LPMX | f::LPMZP,
        ("lpm", "rd,z") => f::LPMX | f::LPMZP,
        ("lpm", "rd,z+") => f::LPMZP,
        ("elpm", "") => f::ELPM | f::ELPMX,
        ("elpm", _) => f::ELPMX,
        ("spm", "") => f::SPM | f::SPMX,
        ("spm", _) => f::SPMX,
        ("break", _) => f::BREAK,
        ("movw", _) => f::MOVW,
        ("mul" | "muls" | "mulsu" | "fmul" | "fmuls" | "fmulsu", _) => f::MUL,
        ("jmp" | "call", _) => f::JMP,
        ("ijmp" | "icall", _) => f::IJMP,
        ("eijmp" | "eicall", _) => f::EIND,
        ("adiw" | "sbiw", _) => f::ADIW,
        ("des", _) => f::DES,
        ("xch" | "las" | "lac" | "lat", _) => f::RMW,
        _ => 0,
    }
}

/// Features of a part: `known` are those of the device of that name, if there is one;
/// otherwise the core tells. Lists are as `break:lpm rd,z`.
#[must_use]
pub fn features(known: Option<u32>, core: &str, lacks: &str, has: &str, flash: u64) -> Option<u32> {
    let sum = |list: &str| list.split(':').map(of_instruction).fold(0, |a, b| a | b);
    let base = known.or_else(|| of_core(core, flash))?;
    // What comes on top may be the weaker form of what is missing.
    let added = match sum(has) & !f::LPMZP {
        added if has.contains('+') => added | f::LPMZP,
        added => added,
    };
    Some((base & !sum(lacks)) | added)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_and_lists() {
        let m8 = features(None, "V2E", "break", "", 8192).unwrap();
        assert_eq!(
            m8 & (f::BREAK | f::JMP | f::MUL | f::LPMZP),
            f::MUL | f::LPMZP
        );
        let m128 = features(None, "V2E", "", "", 131_072).unwrap();
        assert_eq!(m128 & (f::JMP | f::ELPMX | f::EIND), f::JMP | f::ELPMX);
        let tiny = features(None, "v2", "", "lpm rd,z+", 8192).unwrap();
        assert_eq!(tiny & (f::LPMX | f::LPMZP | f::MUL), f::LPMX | f::LPMZP);
        let t26 = features(None, "V1", "", "lpm rd,z", 2048).unwrap();
        assert_eq!(t26 & (f::LPMX | f::LPMZP), f::LPMX);
        assert_eq!(features(None, "V99", "", "", 8192), None);
        assert_eq!(
            features(Some(f::MUL | f::MOVW), "V1", "movw", "", 0),
            Some(f::MUL)
        );
    }
}
