//! The programs that come with scrimp, embedded so that they are found anywhere.

use crate::text::source::MemoryLoader;

macro_rules! files {
    ($($path:literal)*) => {
        /// Path below `programs/` and text.
        const FILES: &[(&str, &str)] = &[$(
            ($path, include_str!(concat!("../../programs/", $path)))
        ),*];
    };
}

files! {
    "ee476/draws.asm"
    "ee476/ee476.asm"
    "ee476/game.asm"
    "ee476/keys.asm"
    "ee476/noughts.asm"
    "ee476/players.asm"
    "ee476/program.toml"
    "ee476/screen.asm"
    "ee476/search.asm"
    "gigatron-chess/check.asm"
    "gigatron-chess/chess.asm"
    "gigatron-chess/display.asm"
    "gigatron-chess/evaluate.asm"
    "gigatron-chess/game.asm"
    "gigatron-chess/generate.asm"
    "gigatron-chess/leap.asm"
    "gigatron-chess/macros.asm"
    "gigatron-chess/make.asm"
    "gigatron-chess/map.asm"
    "gigatron-chess/perft.asm"
    "gigatron-chess/position.asm"
    "gigatron-chess/program.asm"
    "gigatron-chess/program.toml"
    "gigatron-chess/rays.asm"
    "gigatron-chess/rules.asm"
    "gigatron-chess/search.asm"
    "gigatron-chess/shell.asm"
    "gigatron-chess/sprites.asm"
    "gigatron-chess/tables.asm"
    "tiny-chess960/board.asm"
    "tiny-chess960/device.asm"
    "tiny-chess960/game.asm"
    "tiny-chess960/glyphs.asm"
    "tiny-chess960/menu.asm"
    "tiny-chess960/program.toml"
    "tiny-chess960/record.asm"
    "tiny-chess960/screen.asm"
    "tiny-chess960/search.asm"
    "tiny-chess960/tiny.asm"
    "tinyhouse-zx81/program.toml"
    "tinyhouse-zx81/tinyhouse.asm"
    "tinyhouse/moves.asm"
    "tinyhouse/program.toml"
    "tinyhouse/search.asm"
    "tinyhouse/terminal.asm"
    "tinyhouse/tinyhouse.asm"
    "zx81-chess-seed/chess.asm"
    "zx81-chess-seed/program.toml"
    "zx81-chess/chess.asm"
    "zx81-chess/program.toml"
    "zx81-firmware/firmware.asm"
    "zx81-firmware/glyphs.asm"
    "zx81-firmware/picture.asm"
    "zx81-firmware/program.asm"
    "zx81-firmware/program.toml"
    "zx81-firmware/screen.asm"
    "zx81-firmware/services.asm"
    "zx81-firmware/start.asm"
}

/// Names of the programs that have a `program.toml`.
pub fn names() -> impl Iterator<Item = &'static str> {
    FILES
        .iter()
        .filter_map(|f| f.0.strip_suffix(&format!("/{}", super::manifest::FILE)))
}

/// The files of a program, named relative to its folder; `None` if there are none.
pub fn files(name: &str) -> Option<MemoryLoader> {
    let mut of = FILES
        .iter()
        .filter_map(|(path, text)| Some((path.strip_prefix(name)?.strip_prefix('/')?, *text)))
        .peekable();
    of.peek()?;
    Some(of.fold(MemoryLoader::default(), |l, (path, text)| {
        l.with(path, text)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn collect(folder: &Path, below: &str, out: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{below}{}", entry.file_name().to_str().unwrap());
            if entry.file_type().unwrap().is_dir() {
                collect(&entry.path(), &format!("{name}/"), out);
            } else if name.contains('/') && !name.ends_with(".md") {
                out.push(name);
            }
        }
    }

    #[test]
    fn every_file_is_listed() {
        let mut there = Vec::new();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
        collect(&root, "", &mut there);
        there.sort();
        let listed: Vec<_> = FILES.iter().map(|f| f.0.to_owned()).collect();
        assert_eq!(
            there, listed,
            "the list in shipped.rs is in order and complete"
        );
    }
}
