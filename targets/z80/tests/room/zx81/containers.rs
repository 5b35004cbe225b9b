//! The layouts of the `.P` file, their limits and their errors.

use scrimp_z80::machines::zx81::containers::read;

use super::program::{OK, Program, display, dump};

/// Code of that size in the REM layout with its own display file of 27 bytes,
/// which follows the second line.
fn rem(code: usize) -> Program {
    let mut bytes = OK.to_vec();
    bytes.resize(code, 0);
    let d_file = 0x4082 + code as u64 + 19;
    Program::at(0x4082, &bytes)
        .and(d_file, &display())
        .symbol("picture", d_file as i64)
        .option("dfile", "picture")
}

/// The same inside the system variables.
fn sysvar(code: usize) -> Program {
    let mut bytes = OK.to_vec();
    bytes.resize(code, 0);
    let d_file = 0x403C + code as u64;
    bytes.extend(display());
    Program::at(0x403C, &bytes)
        .symbol("picture", d_file as i64)
        .option("dfile", "picture")
}

#[test]
fn rem_layout() {
    let file = rem(OK.len()).write("p").unwrap();
    insta::assert_snapshot!(dump(0x4009, &file.bytes));
    insta::assert_debug_snapshot!((file.image_bytes, file.added));
}

#[test]
fn rem_layout_with_val_and_collapsed_display() {
    let program = Program::at(0x4082, OK)
        .option("usr", "val")
        .option("mode", "fast");
    let file = program.write("p").unwrap();
    insta::assert_snapshot!(dump(0x4009, &file.bytes));
    insta::assert_debug_snapshot!((file.image_bytes, file.added));
}

#[test]
fn rem_layout_with_variable() {
    let file = Program::at(0x4082, OK)
        .option("usr", "variable")
        .write("p")
        .unwrap();
    insta::assert_snapshot!(dump(0x4009, &file.bytes));
}

#[test]
fn sysvar_layout() {
    let file = sysvar(OK.len()).write("p").unwrap();
    insta::assert_snapshot!(dump(0x4009, &file.bytes));
    insta::assert_debug_snapshot!((file.image_bytes, file.added));
}

#[test]
fn start_label_and_holes() {
    let file = sysvar(20)
        .and(0x4018, &[0xAA, 0xBB])
        .and(0x4032, &[0xCC])
        .symbol("start", 0x4040)
        .write("p")
        .unwrap();
    assert_eq!(file.bytes[0x4018 - 0x4009..][..2], [0xAA, 0xBB]);
    assert_eq!(file.bytes[0x4032 - 0x4009], 0xCC);
    // jp $4040
    assert_eq!(file.bytes[0x4038 - 0x4009..][..3], [0xC3, 0x40, 0x40]);
    assert_eq!(file.image_bytes, 20 + 27 + 3);
}

#[test]
fn limits_of_1k() {
    assert_eq!(rem(781).write("p").unwrap().bytes.len(), 949);
    assert_eq!(sysvar(872).write("p").unwrap().bytes.len(), 951);
    let without_mark = sysvar(873).option("vars", "none");
    assert_eq!(without_mark.write("p").unwrap().bytes.len(), 951);
    let val = Program::at(0x4082, &[0; 736]).option("usr", "val");
    assert_eq!(val.write("p").unwrap().bytes.len(), 899);
    let variable = Program::at(0x4082, &[0; 787]).option("usr", "variable");
    assert_eq!(variable.write("p").unwrap().bytes.len(), 949);
    insta::assert_snapshot!(
        [
            rem(782).message(),
            sysvar(873).message(),
            sysvar(874).option("vars", "none").message(),
            Program::at(0x4082, &[0; 737])
                .option("usr", "val")
                .message(),
            Program::at(0x4082, &[0; 788])
                .option("usr", "variable")
                .message(),
            rem(0x380).message(),
        ]
        .join("\n")
    );
}

#[test]
fn other_sizes_of_ram() {
    for (name, largest) in [("zx81-2k", 951 + 1024), ("zx81-16k", 951 + 15 * 1024)] {
        let code = |over: usize| sysvar(largest - 51 - 28 + over);
        assert_eq!(code(0).write_for(name, "p").unwrap().bytes.len(), largest);
        assert!(code(1).write_for(name, "p").is_err());
        // The option names another machine than the one at hand.
        assert!(code(0).option("ram", "1").write_for(name, "p").is_err());
    }
    assert!(sysvar(1000).option("ram", "16").write("p").is_ok());
}

#[test]
fn errors() {
    let whole = sysvar(11).write("p").unwrap().bytes;
    let mut wrong_end = whole.clone();
    wrong_end.push(0);
    let mut wrong_line = rem(11).write("p").unwrap().bytes;
    wrong_line[0x4029 - 0x4009 + 1] = 0x50;
    let mut no_newline = rem(11).write("p").unwrap().bytes;
    let last = no_newline.len() - 2;
    no_newline[last] = 0;
    let mut long_line = display();
    long_line.splice(1..1, [0; 31]);
    let mut token = display();
    token[2] = 0xC1;
    let own = |bytes: &[u8]| Program::at(0x403C, &[OK, bytes].concat()).option("dfile", "$4047");
    let cases = [
        Program::default(),
        Program::at(0x8000, OK),
        Program::at(0x0000, OK),
        Program::at(0x5000, OK).option("ram", "16"),
        Program::at(0x43FF, OK),
        Program::at(0x4082, OK).option("layout", "roof"),
        Program::at(0x4082, OK).option("start", "begin"),
        Program::at(0x4082, OK).option("start", "0"),
        Program::at(0x4090, OK).option("layout", "rem"),
        Program::at(0x4090, OK).option("layout", "sysvar"),
        Program::at(0x4082, OK).option("layout", "whole"),
        Program::at(0x4082, OK).option("dfile", "none"),
        Program::at(0x4082, OK).option("stack", "many"),
        Program::at(0x4082, OK).option("stack", "900"),
        Program::at(0x4082, OK).and(0x4010, &[1]),
        Program::at(0x403C, OK).and(0x4024, &[1, 2]),
        Program::at(0x4018, OK).option("layout", "sysvar"),
        Program::at(0x4082, &[OK, &display()].concat()).option("dfile", "$408D"),
        own(&display()[..26]).option("vars", "none"),
        own(&long_line),
        own(&token),
        own(&[0; 40]),
        Program::at(0x4009, &whole[..50]),
        Program::at(0x4009, &wrong_end),
        Program::at(0x4009, &wrong_line),
        Program::at(0x4009, &no_newline),
    ];
    let messages: Vec<_> = cases.iter().map(Program::message).collect();
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn whole_file_is_taken_as_it_is() {
    for file in [rem(100), sysvar(100)] {
        let bytes = file.write("p").unwrap().bytes;
        let whole = Program::at(0x4009, &bytes).write("p").unwrap();
        assert_eq!(whole.bytes, bytes);
        assert_eq!((whole.image_bytes, whole.added.len()), (bytes.len(), 0));
        assert!(whole.warnings.is_empty(), "{:?}", whole.warnings);
    }
}

#[test]
fn whole_file_that_does_not_start_itself() {
    let mut bytes = rem(100).write("p").unwrap().bytes;
    bytes.copy_within(3..5, 0x4029 - 0x4009);
    let whole = Program::at(0x4009, &bytes).write("p").unwrap();
    insta::assert_debug_snapshot!(whole.warnings);
}

#[test]
fn p81_has_the_name_in_front() {
    let p = rem(11).write("p").unwrap().bytes;
    let p81 = rem(11).write("p81").unwrap();
    assert_eq!(p81.bytes[..5], [0x2D, 0x2A, 0x31, 0x31, 0xB4]);
    assert_eq!(p81.bytes[5..], p);
    let named = rem(11).option("name", "chess-1").write("p81").unwrap();
    assert_eq!(named.bytes[..7], [0x28, 0x2D, 0x2A, 0x38, 0x38, 0x16, 0x9D]);
    let bad = rem(11).option("name", "ol\u{e9}").write("p81");
    assert!(bad.unwrap_err().message.contains('\u{e9}'));
}

#[test]
fn reader_takes_what_the_writer_made() {
    let p = rem(11).write("p").unwrap().bytes;
    assert_eq!(read("P", &p).unwrap().bytes, p);
    assert_eq!(read("81", &p).unwrap().name, [0x80]);
    let p81 = rem(11).write("p81").unwrap().bytes;
    let saved = read("p81", &p81).unwrap();
    assert_eq!((saved.name.len(), saved.bytes), (5, p.clone()));
    // A copy of a tape may have noise after the end.
    let mut longer = p.clone();
    longer.extend([1, 2, 3]);
    assert_eq!(read("p", &longer).unwrap().bytes, p);
    for (format, bytes) in [
        ("p", &p[..p.len() - 1]),
        ("p", &p[..20]),
        ("p", &[]),
        ("p81", &[1; 300]),
        ("tap", &p),
    ] {
        assert!(read(format, bytes).is_err());
    }
}
