//! Packs the certificates of the rules.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let texts = scrimp_pack::folder(Path::new("src"), &[".certificates"])?;
    scrimp_pack::pack("certificates", &texts)
}
