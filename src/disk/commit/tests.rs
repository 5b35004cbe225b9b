//! Every operation is made to fail in turn; the old files must stay.

use super::*;
use std::cell::Cell;
use std::collections::BTreeMap;

/// The disk, with one operation that fails.
struct Faulty {
    /// Operations until the failure.
    left: Cell<Option<usize>>,
    /// Name of the operation that failed.
    failed: Cell<Option<&'static str>>,
    /// Another build makes each folder right before.
    rival: bool,
}

impl Faulty {
    fn new(n: usize) -> Self {
        Self {
            left: Cell::new(Some(n)),
            failed: Cell::new(None),
            rival: false,
        }
    }
    fn count(&self, name: &'static str) -> io::Result<()> {
        match self.left.get() {
            Some(0) => {
                self.left.set(None);
                self.failed.set(Some(name));
                Err(io::Error::other("injected"))
            }
            Some(n) => {
                self.left.set(Some(n - 1));
                Ok(())
            }
            None => Ok(()),
        }
    }
}

impl FileSystem for Faulty {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        self.count("kind").and_then(|()| OsFiles.kind(path))
    }
    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        OsFiles.resolve(path)
    }
    fn same(&self, a: &Path, b: &Path) -> bool {
        OsFiles.same(a, b)
    }
    fn make_folder(&self, path: &Path) -> io::Result<()> {
        if self.rival {
            OsFiles.make_folder(path)?;
        }
        self.count("folder")
            .and_then(|()| OsFiles.make_folder(path))
    }
    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        OsFiles.remove_folder(path)
    }
    fn lock(&self, folder: &Path) -> io::Result<Option<fs::File>> {
        self.count("lock").and_then(|()| OsFiles.lock(folder))
    }
    fn stamp(&self, path: &Path) -> Option<Stamp> {
        OsFiles.stamp(path)
    }
    fn strays(&self, target: &Path) -> Vec<PathBuf> {
        OsFiles.strays(target)
    }
    fn create(&self, target: &Path) -> io::Result<PathBuf> {
        self.count("create").and_then(|()| OsFiles.create(target))
    }
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        if let Err(e) = self.count("write") {
            // As a full disk does: a part is written.
            OsFiles.write(path, &bytes[..bytes.len() / 2])?;
            return Err(e);
        }
        OsFiles.write(path, bytes)
    }
    fn sync(&self, path: &Path) -> io::Result<()> {
        self.count("sync").and_then(|()| OsFiles.sync(path))
    }
    fn copy_permissions(&self, like: &Path, path: &Path) -> io::Result<()> {
        self.count("permissions")
            .and_then(|()| OsFiles.copy_permissions(like, path))
    }
    fn keep(&self, path: &Path) -> io::Result<PathBuf> {
        self.count("keep").and_then(|()| OsFiles.keep(path))
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.count("rename").and_then(|()| OsFiles.rename(from, to))
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        OsFiles.remove(path)
    }
}

/// All files below a folder with their bytes; folders end with `/`.
fn tree(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    fn walk(folder: &Path, out: &mut BTreeMap<PathBuf, Vec<u8>>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                out.insert(path.join(""), Vec::new());
                walk(&path, out);
            } else {
                out.insert(path.clone(), fs::read(&path).unwrap_or_default());
            }
        }
    }
    let mut out = BTreeMap::new();
    walk(root, &mut out);
    out
}

fn outputs(root: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    ["old.bin", "new.hex", "old.lst", "deep/er/x.map", "old.sym"]
        .iter()
        .map(|n| (root.join(n), format!("new content of {n}").into_bytes()))
        .collect()
}

fn start() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for n in ["old.bin", "old.lst", "old.sym", "main.asm"] {
        fs::write(dir.path().join(n), format!("old {n}")).unwrap();
    }
    dir
}

/// Writes such files.
fn put(
    fs: &dyn FileSystem,
    plan: &Plan<'_>,
    files: &[(PathBuf, Vec<u8>)],
) -> Result<(), CommitError> {
    let paths: Vec<PathBuf> = files.iter().map(|f| f.0.clone()).collect();
    let plan = Plan {
        files: &paths,
        ..*plan
    };
    plan.commit_to(fs, &mut |i| Ok((&files[i].1).into()))
}

#[test]
fn a_file_that_cannot_be_made_leaves_all_as_before() {
    for n in 0..5 {
        let dir = start();
        let before = tree(dir.path());
        let paths: Vec<PathBuf> = outputs(dir.path()).into_iter().map(|f| f.0).collect();
        let plan = Plan {
            files: &paths,
            ..Plan::default()
        };
        let mut make = |i: usize| -> Result<Cow<'_, [u8]>, CommitError> {
            match i == n {
                true => Err(error(&paths[i], "it has no end")),
                // Those before have been written, not only made.
                false => Ok(format!("{}", tree(dir.path()).len()).into_bytes().into()),
            }
        };
        let e = plan.commit_to(&OsFiles, &mut make).unwrap_err();
        assert_eq!((&e.path, &*e.reason), (&paths[n], "it has no end"));
        assert_eq!(tree(dir.path()), before, "file {n}");
    }
    let dir = start();
    let paths: Vec<PathBuf> = outputs(dir.path()).into_iter().map(|f| f.0).collect();
    let plan = Plan {
        files: &paths,
        ..Plan::default()
    };
    let mut make = |_: usize| -> Result<Cow<'_, [u8]>, CommitError> {
        Ok(format!("{}", tree(dir.path()).len()).into_bytes().into())
    };
    plan.commit_to(&OsFiles, &mut make).unwrap();
    let there = |n: usize| fs::read_to_string(&paths[n]).unwrap();
    assert_eq!((&*there(0), &*there(4)), ("6", "10"), "one more each time");
}

#[test]
fn all_appear() {
    let dir = start();
    let files = outputs(dir.path());
    commit(&files, &[dir.path().join("main.asm")]).unwrap();
    for (path, bytes) in &files {
        assert_eq!(&fs::read(path).unwrap(), bytes);
    }
    // Five outputs, the source and two folders: nothing else is left.
    assert_eq!(tree(dir.path()).len(), 8);
    commit(&files, &[]).unwrap();
    assert_eq!(tree(dir.path()).len(), 8);
}

#[test]
fn folders_that_another_build_makes_first_serve_as_well() {
    let dir = start();
    let files = outputs(dir.path());
    let mut fs = Faulty::new(usize::MAX);
    fs.rival = true;
    put(&fs, &Plan::default(), &files).unwrap();
    assert_eq!(tree(dir.path()).len(), 8);
}

#[test]
fn whatever_fails_the_old_files_stay_and_nothing_is_left() {
    let mut failures: BTreeMap<&str, usize> = BTreeMap::new();
    for n in 0.. {
        let dir = start();
        let before = tree(dir.path());
        let faulty = Faulty::new(n);
        let files = outputs(dir.path());
        let result = put(&faulty, &Plan::default(), &files);
        let Some(name) = faulty.failed.get() else {
            assert!(result.is_ok());
            break;
        };
        *failures.entry(name).or_default() += 1;
        assert!(result.unwrap_err().reason.contains("injected"));
        assert_eq!(tree(dir.path()), before, "operation {n}, {name}");
    }
    let least = [
        ("lock", 2),
        ("create", 5),
        ("write", 5),
        ("sync", 5),
        ("rename", 5),
        ("keep", 2),
        ("folder", 2),
    ];
    for (name, count) in least {
        assert_eq!(failures.get(name), Some(&count), "{failures:?}");
    }
}

#[test]
fn whenever_it_is_stopped_nothing_has_changed() {
    for n in 0.. {
        let dir = start();
        let before = tree(dir.path());
        let (files, asked) = (outputs(dir.path()), Cell::new(0));
        let stop = || asked.replace(asked.get() + 1) == n;
        let plan = Plan {
            stop: Some(&stop),
            ..Plan::default()
        };
        match put(&OsFiles, &plan, &files) {
            Ok(()) => {
                assert_eq!(n, 6, "before each file and before the renames");
                break;
            }
            Err(e) => assert_eq!(e.reason, "interrupted"),
        }
        assert_eq!(tree(dir.path()), before, "stopped at {n}");
    }
}

#[test]
fn an_output_that_another_wrote_meanwhile_stays() {
    let dir = start();
    let files = outputs(dir.path());
    let write = |before: &Before| {
        let plan = Plan {
            before: Some(before),
            ..Plan::default()
        };
        put(&OsFiles, &plan, &files)
    };
    let look = || Before::of(files.iter().map(|f| f.0.clone()));
    let (first, second) = (look(), look());
    write(&first).unwrap();
    let after = tree(dir.path());
    let e = write(&second).unwrap_err();
    assert!(e.reason.contains("another build"), "{e}");
    assert_eq!(tree(dir.path()), after);
    write(&look()).unwrap();
    // One that has gone, and one that came.
    let before = look();
    fs::remove_file(&files[1].0).unwrap();
    assert!(write(&before).is_err());
    let before = look();
    fs::write(&files[1].0, "x").unwrap();
    assert_eq!(write(&before).unwrap_err().path, files[1].0);
}

#[test]
fn what_a_killed_build_left_is_removed_by_the_next_of_that_output() {
    let dir = start();
    let files = outputs(dir.path());
    let left = OsFiles.create(&files[0].0).unwrap();
    let others = [
        OsFiles.create(&dir.path().join("other.bin")).unwrap(),
        OsFiles.create(&dir.path().join("old.bin-x")).unwrap(),
        OsFiles.create(&dir.path().join("xold.bin")).unwrap(),
    ];
    commit(&files, &[]).unwrap();
    assert!(!left.exists());
    assert!(others.iter().all(|o| o.exists()));
}

#[cfg(unix)]
#[test]
fn who_writes_into_one_folder_takes_turns() {
    let dir = start();
    let held = OsFiles.lock(dir.path()).unwrap();
    let started = Instant::now();
    std::thread::scope(|s| {
        s.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            drop(held);
        });
        commit(&outputs(dir.path()), &[]).unwrap();
    });
    assert!(started.elapsed() >= Duration::from_millis(100));
}

fn refused(path: &Path, inputs: &[PathBuf]) -> String {
    let root = path.parent().unwrap();
    let before = tree(root);
    let files = [
        (root.join("first.bin"), b"x".to_vec()),
        (path.to_owned(), b"y".to_vec()),
    ];
    let e = commit(&files, inputs).unwrap_err();
    assert_eq!(e.path, path);
    assert_eq!(tree(root), before);
    e.reason
}

#[test]
fn an_input_is_never_overwritten() {
    let dir = start();
    let main = dir.path().join("main.asm");
    let inputs = [main.clone()];
    let why = "the program is read from it";
    assert_eq!(refused(&main, &inputs), why);
    fs::create_dir(dir.path().join("sub")).unwrap();
    let roundabout = dir.path().join("sub/../main.asm");
    let files = [(roundabout, b"y".to_vec())];
    assert_eq!(commit(&files, &inputs).unwrap_err().reason, why);
    #[cfg(unix)]
    {
        let link = dir.path().join("link.bin");
        std::os::unix::fs::symlink("main.asm", &link).unwrap();
        assert_eq!(refused(&link, &inputs), why);
        let hard = dir.path().join("hard.bin");
        fs::hard_link(&main, &hard).unwrap();
        assert_eq!(refused(&hard, &inputs), why);
    }
    assert_eq!(fs::read(&main).unwrap(), b"old main.asm");
}

#[test]
fn two_outputs_need_two_names() {
    let dir = start();
    let file = |n: &str| (dir.path().join(n), n.as_bytes().to_vec());
    for (a, b) in [("a.bin", "a.bin"), ("a.bin", "A.BIN"), ("a.bin", "./a.bin")] {
        let e = commit(&[file(a), file(b)], &[]).unwrap_err();
        assert!(e.reason.ends_with("is the same file"), "{e}");
    }
    assert_eq!(tree(dir.path()).len(), 4);
}

#[test]
fn a_folder_is_refused() {
    let dir = start();
    let folder = dir.path().join("folder");
    fs::create_dir(&folder).unwrap();
    assert_eq!(refused(&folder, &[]), "it is a folder");
    let file = |n: &str| (dir.path().join(n), Vec::new());
    let before = tree(dir.path());
    // One output as the folder of another, either way round.
    assert!(commit(&[file("x"), file("x/y")], &[]).is_err());
    assert!(commit(&[file("x/y"), file("x")], &[]).is_err());
    assert!(commit(&[file("old.bin/y")], &[]).is_err());
    assert!(commit(&[(PathBuf::from("/"), Vec::new())], &[]).is_err());
    assert_eq!(tree(dir.path()), before);
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    use std::os::unix::net::UnixListener;

    #[test]
    fn devices_and_sockets_are_refused_and_stay() {
        let dir = start();
        let link = dir.path().join("null");
        symlink("/dev/null", &link).unwrap();
        assert_eq!(refused(&link, &[]), "it is a symbolic link to a device");
        let e = commit(&[(PathBuf::from("/dev/null"), vec![1])], &[]).unwrap_err();
        assert_eq!(e.reason, "it is a device");
        assert!(
            fs::metadata("/dev/null")
                .unwrap()
                .file_type()
                .is_char_device()
        );
        let socket = dir.path().join("socket");
        let _listener = UnixListener::bind(&socket).unwrap();
        assert_eq!(refused(&socket, &[]), "it is a socket");
        let nowhere = dir.path().join("nowhere");
        symlink("not-there", &nowhere).unwrap();
        assert!(refused(&nowhere, &[]).starts_with("it is a symbolic link"));
    }

    #[test]
    fn a_link_stays_and_its_file_is_replaced() {
        let dir = start();
        let link = dir.path().join("link.bin");
        symlink("old.bin", &link).unwrap();
        commit(&[(link.clone(), b"new".to_vec())], &[]).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(dir.path().join("old.bin")).unwrap(), b"new");
        // Both at once are one file.
        let both = [
            (link, b"a".to_vec()),
            (dir.path().join("old.bin"), b"b".to_vec()),
        ];
        assert!(commit(&both, &[]).is_err());
    }

    #[test]
    fn permissions_are_kept() {
        let dir = start();
        let old = dir.path().join("old.bin");
        fs::set_permissions(&old, fs::Permissions::from_mode(0o640)).unwrap();
        let new = dir.path().join("new.bin");
        commit(&[(old.clone(), vec![1]), (new.clone(), vec![2])], &[]).unwrap();
        let mode = |p: &Path| fs::metadata(p).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&old), 0o640);
        assert_ne!(mode(&new) & 0o400, 0);
        assert_eq!(mode(&new) & 0o111, 0);
    }
}
