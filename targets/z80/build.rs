//! Packs the rules and their certificates.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let texts = scrimp_pack::folder(Path::new("src"), &["rules.certificates", "rules.txt"])?;
    scrimp_pack::pack("rules", &texts)
}
