//! How many words of code the program has.

use super::machine::Program;
use super::play::SHIPPED;

/// Linear address behind the ROM.
const ROM_END: u64 = 0x2_0000;
/// Pictures, a word for each pixel.
const PICTURES: [&str; 2] = ["sprites", "letters"];

/// Words of all sections in ROM but pictures, with filler and all; and the words among
/// the pictures that show nothing: the way out at the end of each row.
fn words(program: &Program) -> usize {
    let image = &program.image;
    let name = |section: u32| image.sections[section as usize].name.as_str();
    let in_rom = image.chunks.iter().filter(|c| c.address < ROM_END);
    let code = in_rom.filter(|c| !PICTURES.contains(&name(c.section)));
    let bytes: usize = code.map(|c| c.bytes.len()).sum();
    let (rows, way_out) = (program.value("TALL"), 4);
    bytes / 2 + usize::from(rows) * way_out
}

#[test]
fn the_code_is_four_thousand_words_at_most() {
    let words = words(&SHIPPED);
    println!("{words} words");
    assert!((3_000..=4_000).contains(&words), "{words} words");
}
