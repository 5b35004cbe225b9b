//! From the files of a build to the part: the command for avrdude. Fuses and lock bits
//! are told, never in the command, since a wrong one makes a part useless.

use scrimp_isa::container::ImageView;
use scrimp_isa::machine::BuiltFile;

use crate::devices::{Device, FuseKind};
use crate::memories::{EEPROM, FUSES, LOCK, SIGNATURE};

/// Lines for people.
pub fn install(device: &Device, files: &[BuiltFile<'_>], image: &dyn ImageView) -> Vec<String> {
    let find = |format: &str| files.iter().find(|f| f.format == format);
    let mut uploads = Vec::new();
    // The first that there is; what has all spaces comes last.
    let one = [("hex", "i"), ("srec", "s"), ("bin", "r")];
    let flash = one.iter().find_map(|(f, kind)| Some((find(f)?, *kind)));
    let whole = find("mhex").map(|f| (f, "i"));
    let whole = whole.or_else(|| find("elf").map(|f| (f, "e")));
    let has = |from: u64, to: u64| {
        let pieces = image.pieces();
        pieces.iter().any(|p| (from..to).contains(&p.0))
    };
    if let Some((file, kind)) = flash.or(whole) {
        if kind == "r" && image.pieces().first().is_some_and(|p| p.0 != 0) {
            // A raw file has no addresses.
            return Vec::new();
        }
        uploads.push(upload("flash", file, kind));
    }
    if has(EEPROM, FUSES) {
        let eeprom = find("eep").map(|f| (f, "i")).or(whole);
        uploads.extend(eeprom.map(|(file, kind)| upload("eeprom", file, kind)));
    }
    let mut out = Vec::new();
    if !uploads.is_empty() {
        out.push(format!(
            "to flash: avrdude -c PROGRAMMER -p {} {}",
            avrdude(device),
            uploads.join(" ")
        ));
    }
    let wanted = fuses(device, image);
    if !wanted.is_empty() {
        let list: Vec<String> = wanted
            .iter()
            .map(|(n, v)| format!("{n} 0x{v:02X}"))
            .collect();
        let options = settings(device, image);
        out.push(format!(
            "the source sets {}; nothing here writes these: read what they do, then {}",
            list.join(", "),
            options.join(" ")
        ));
    }
    out
}

/// The short name that avrdude takes: `m328p`, `t85`, `8515`.
#[must_use]
pub fn avrdude(device: &Device) -> String {
    const SHORT: [(&str, &str); 7] = [
        ("atmega", "m"),
        ("attiny", "t"),
        ("atxmega", "x"),
        ("at90usb", "usb"),
        ("at90can", "c"),
        ("at90pwm", "pwm"),
        ("at90s", ""),
    ];
    let name = device.gnu_name();
    let found = SHORT.iter().find_map(|(long, short)| {
        let rest = name.strip_prefix(long)?;
        Some(format!("{short}{rest}"))
    });
    found.unwrap_or(name)
}

/// Fuses and lock bits of the program as avrdude options.
pub fn settings(device: &Device, image: &dyn ImageView) -> Vec<String> {
    let wanted = fuses(device, image);
    let option = |(n, v): &(String, u8)| format!("-U {n}:w:0x{v:02X}:m");
    wanted.iter().map(option).collect()
}

fn upload(memory: &str, file: &BuiltFile<'_>, kind: &str) -> String {
    let upload = format!("{memory}:w:{}:{kind}", file.path);
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-:+@".contains(c);
    match upload.chars().all(plain) {
        true => format!("-U {upload}"),
        false => format!("-U '{}'", upload.replace('\'', "'\\''")),
    }
}

/// The fuse and lock bytes that the program has, by the names that avrdude gives them.
fn fuses(device: &Device, image: &dyn ImageView) -> Vec<(String, u8)> {
    let known = device.fuses();
    let all = known.iter().filter(|f| f.kind == FuseKind::Fuse).count();
    let mut out = Vec::new();
    for (start, bytes) in image.pieces() {
        for (i, &byte) in bytes.iter().enumerate() {
            let at = start + i as u64;
            let name = match at {
                FUSES..LOCK => {
                    let number = at - FUSES;
                    let fuse = known
                        .iter()
                        .find(|f| f.kind == FuseKind::Fuse && u64::from(f.number) == number);
                    match fuse.map_or("", |f| f.name) {
                        "LOW" => "lfuse".into(),
                        "HIGH" => "hfuse".into(),
                        "EXTENDED" => "efuse".into(),
                        _ if all == 1 => "fuse".into(),
                        _ => format!("fuse{number}"),
                    }
                }
                LOCK..SIGNATURE => "lock".into(),
                _ => continue,
            };
            out.push((name, byte));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::find;

    struct Image(Vec<(u64, Vec<u8>)>);

    impl ImageView for Image {
        fn pieces(&self) -> Vec<(u64, &[u8])> {
            self.0.iter().map(|(a, b)| (*a, &b[..])).collect()
        }
        fn symbol(&self, _: &str) -> Option<i64> {
            None
        }
        fn option(&self, _: &str) -> Option<&str> {
            None
        }
        fn name(&self) -> &str {
            "demo"
        }
    }

    fn file<'a>(format: &'a str, path: &'a str) -> BuiltFile<'a> {
        BuiltFile { format, path }
    }

    #[test]
    fn the_command_writes_flash_and_eeprom_and_no_fuse() {
        let m = find("attiny85").expect("a device");
        let image = Image(vec![
            (0, vec![1, 2]),
            (EEPROM, vec![3]),
            (FUSES, vec![0xE2, 0xDF, 0xFF]),
            (LOCK, vec![0xFC]),
        ]);
        let files = [
            file("lst", "x.lst"),
            file("hex", "build/x.hex"),
            file("eep", "my x.eep"),
        ];
        let [command, remark] = &install(m, &files, &image)[..] else {
            panic!("two lines");
        };
        assert_eq!(
            command,
            "to flash: avrdude -c PROGRAMMER -p t85 -U flash:w:build/x.hex:i \
             -U 'eeprom:w:my x.eep:i'"
        );
        assert!(
            remark.contains("lfuse 0xE2, hfuse 0xDF, efuse 0xFF, lock 0xFC"),
            "{remark}"
        );
        assert!(remark.contains("-U lfuse:w:0xE2:m"), "{remark}");
    }

    #[test]
    fn what_is_not_there_is_not_named() {
        let m = find("at90s8515").expect("a device");
        let code = Image(vec![(0, vec![1, 2])]);
        let lines = |files: &[BuiltFile<'_>], image| install(m, files, image);
        let one = |f: &str| format!("to flash: avrdude -c PROGRAMMER -p 8515 -U flash:w:{f}");
        assert_eq!(lines(&[file("bin", "x.bin")], &code), [one("x.bin:r")]);
        assert_eq!(lines(&[file("elf", "x.elf")], &code), [one("x.elf:e")]);
        assert!(lines(&[file("lst", "x.lst")], &code).is_empty());
        // A raw file would go to address 0.
        let high = Image(vec![(0x1E00, vec![1])]);
        assert!(lines(&[file("bin", "x.bin")], &high).is_empty());
    }
}
