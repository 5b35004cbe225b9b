//! The device data: every file is read, the facts agree with themselves and with peers.

use scrimp_avr::devices;

#[test]
fn every_file_is_read_and_none_is_forgotten() {
    let all = devices::parse_all().expect("well-formed data");
    assert_eq!(all.len(), devices::names().len());
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/devices");
    let mut there: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder")
        .map(|e| {
            e.expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .filter_map(|n| n.strip_suffix(".avr").map(str::to_owned))
        .collect();
    there.sort();
    let mut listed = devices::files();
    listed.sort_unstable();
    assert_eq!(there, listed);
}
