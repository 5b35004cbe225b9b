//! Source files that come with the machine, for `include <zx81/...>`.

/// Names and texts.
pub const FILES: &[(&str, &str)] = &[
    ("zx81/rom.asm", include_str!("library/rom.asm")),
    ("zx81/chars.asm", include_str!("library/chars.asm")),
    ("zx81/sysvar.asm", include_str!("library/sysvar.asm")),
    ("zx81/rem.asm", include_str!("library/rem.asm")),
    ("zx81/run.asm", include_str!("library/run.asm")),
    ("zx81/collapsed.asm", include_str!("library/collapsed.asm")),
    ("zx81/end.asm", include_str!("library/end.asm")),
];
