//! Reading source files from disk, carefully: regular files of bounded size in
//! the folders that a program may read, nothing else.

pub mod commit;
mod kind;
pub mod reach;

pub use kind::special;

use crate::diagnostic::near::nearest;
use crate::text::source::{LoadError, Loader, MAX_FILE};
use commit::{Before, FileSystem as _, Stamp};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File, Metadata};
use std::io::{ErrorKind, Read};
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

/// Files of a folder that are looked at for a near name or one in another case.
const MOST_NAMES: usize = 10_000;
/// Names that are compared with those of missing files in a run; then no near one is told.
const MOST_COMPARED: usize = 200_000;
/// Folders whose names are kept.
const MOST_LISTED: usize = 100;

/// Names in a folder.
type Names = Rc<[String]>;

/// Loads files from disk. A path in a source is tried relative to the file that
/// names it, then in each search folder. What lies outside all allowed folders is
/// refused, also behind a symbolic link or `..`.
#[derive(Debug, Default)]
pub struct DiskLoader {
    allowed: Vec<PathBuf>,
    search: Vec<PathBuf>,
    loaded: RefCell<Vec<PathBuf>>,
    /// Folders that were listed.
    listed: RefCell<HashMap<PathBuf, Names>>,
    compared: Cell<usize>,
    /// What was looked for, as it was then; nothing unless it is asked for.
    looked: RefCell<Option<BTreeMap<PathBuf, Option<Stamp>>>>,
}

impl DiskLoader {
    /// A loader that may read nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Allows everything below a folder; `""` is the current one.
    #[must_use]
    pub fn allow(mut self, folder: &Path) -> Self {
        let here = Path::new(".");
        let folder = if folder.as_os_str().is_empty() {
            here
        } else {
            folder
        };
        self.allowed.extend(fs::canonicalize(folder));
        self
    }

    /// Allows a folder and searches it for included files.
    #[must_use]
    pub fn search(self, folder: &Path) -> Self {
        self.look_in(folder).allow(folder)
    }

    /// Searches a folder for included files, which does not allow what is in it.
    #[must_use]
    pub fn look_in(mut self, folder: &Path) -> Self {
        self.search.push(folder.to_owned());
        self
    }

    /// Allows a single file.
    #[must_use]
    pub fn allow_file(mut self, file: &Path) -> Self {
        self.allowed.extend(fs::canonicalize(file));
        self
    }

    /// Whether a path without links may be read.
    fn may_read(&self, real: &Path) -> bool {
        self.allowed.iter().any(|a| real.starts_with(a))
    }

    /// All files read so far: what an output must not overwrite.
    pub fn loaded(&self) -> Vec<PathBuf> {
        self.loaded.borrow().clone()
    }

    /// From now on keeps what each path is before it is read.
    pub fn record(&self) {
        self.looked.borrow_mut().get_or_insert_default();
    }

    /// What was kept since [`record`](Self::record).
    pub fn recorded(&self) -> Before {
        Before::when(self.looked.take().into_iter().flatten().collect())
    }

    fn note(&self, path: &Path, stamp: impl FnOnce() -> Option<Stamp>) {
        if let Some(looked) = &mut *self.looked.borrow_mut() {
            looked.entry(path.to_owned()).or_insert_with(stamp);
        }
    }

    fn open(&self, path: &Path) -> Result<Vec<u8>, LoadError> {
        let real = fs::canonicalize(path).map_err(|e| self.failure(path, &e))?;
        // Before anything else: what lies outside is not even looked at.
        if !self.may_read(&real) {
            return Err(LoadError::Outside);
        }
        self.note(path, || commit::OsFiles.stamp(path));
        let bytes = read(&real)?;
        self.loaded.borrow_mut().push(real);
        Ok(bytes)
    }

    fn failure(&self, path: &Path, e: &std::io::Error) -> LoadError {
        match e.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => {
                let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
                let folder = fs::canonicalize(folder.unwrap_or(Path::new(".")));
                // The names in a folder that may not be read are not told.
                let near = match folder {
                    Ok(real) if self.may_read(&real) => {
                        self.note(path, || None);
                        self.near(path)
                    }
                    _ => None,
                };
                LoadError::Missing {
                    near: near.into_iter().collect(),
                }
            }
            _ => LoadError::Io(e.to_string()),
        }
    }

    fn near(&self, path: &Path) -> Option<String> {
        let names = self.names(parent(path));
        let compared = self.compared.get() + names.len();
        self.compared.set(compared);
        (compared <= MOST_COMPARED)
            .then(|| near(path, &names))
            .flatten()
    }

    /// Names in a folder, sorted; `""` is the current one.
    fn names(&self, folder: &Path) -> Names {
        let mut listed = self.listed.borrow_mut();
        if let Some(names) = listed.get(folder) {
            return names.clone();
        }
        if listed.len() >= MOST_LISTED {
            listed.clear();
        }
        let names = names(folder);
        listed.insert(folder.to_owned(), names.clone());
        names
    }
}

/// Names in a folder, sorted; `""` is the current one.
fn names(folder: &Path) -> Names {
    let here = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let entries = fs::read_dir(here).into_iter().flatten();
    let names = entries.take(MOST_NAMES);
    let names = names.filter_map(|e| e.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names.into()
}

fn near(path: &Path, names: &[String]) -> Option<String> {
    let wanted = path.file_name()?.to_str()?;
    nearest(wanted, names.iter().map(String::as_str)).map(str::to_owned)
}

fn parent(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// Reads a regular file of at most [`MAX_FILE`] bytes.
///
/// # Errors
/// When there is none or it is something else.
pub fn read(path: &Path) -> Result<Vec<u8>, LoadError> {
    let io = |e: std::io::Error| match e.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => LoadError::Missing {
            near: near(path, &names(parent(path))).into_iter().collect(),
        },
        _ => LoadError::Io(e.to_string()),
    };
    // Opening a pipe would wait for its writer, so look first.
    check(&fs::metadata(path).map_err(io)?)?;
    let file = File::open(path).map_err(io)?;
    let meta = file.metadata().map_err(io)?;
    check(&meta)?;
    let mut bytes = Vec::with_capacity(meta.len() as usize + 1);
    file.take(MAX_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(io)?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(LoadError::TooLarge(bytes.len() as u64));
    }
    Ok(bytes)
}

/// Reads a file that somebody names, of at most `most` bytes.
///
/// # Errors
/// A sentence that says why it cannot be read.
pub fn read_at_most(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let bytes = read(path).and_then(|b| match b.len() as u64 {
        n if n > most => Err(LoadError::TooLarge(n)),
        _ => Ok(b),
    });
    bytes.map_err(|e| {
        let why = match e {
            LoadError::Missing { near } if near.is_empty() => "it does not exist".into(),
            LoadError::Missing { near } => {
                format!("it does not exist; is {} meant?", near.join(" or "))
            }
            LoadError::NotAFile(what) => format!("it is {what}"),
            LoadError::TooLarge(n) => format!("{n} bytes are more than {most}"),
            LoadError::Io(e) => e,
            e => format!("{e:?}"),
        };
        format!("cannot read {}: {why}", path.display())
    })
}

/// Takes a file away; one that is not there is no fault.
///
/// # Errors
/// A sentence that says why it stays.
pub fn remove(path: &Path) -> Result<(), String> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != ErrorKind::NotFound => {
            Err(format!("cannot remove {}: {e}", path.display()))
        }
        _ => Ok(()),
    }
}

/// "; is x meant?" for a path that does not exist, nothing if no name is near.
pub fn near_file(path: &Path) -> String {
    match read(path) {
        Err(LoadError::Missing { near }) if !near.is_empty() => {
            format!("; is {} meant?", near.join(" or "))
        }
        _ => String::new(),
    }
}

/// The name of a file without folder and extension; `program` where it has none.
pub fn stem(path: &Path) -> String {
    let stem = path.file_stem().and_then(|s| s.to_str());
    stem.filter(|s| !s.is_empty())
        .unwrap_or("program")
        .to_owned()
}

fn check(meta: &Metadata) -> Result<(), LoadError> {
    if meta.is_dir() {
        return Err(LoadError::NotAFile("a folder"));
    }
    if !meta.is_file() {
        return Err(LoadError::NotAFile(special(meta)));
    }
    if meta.len() > MAX_FILE {
        return Err(LoadError::TooLarge(meta.len()));
    }
    Ok(())
}

/// Whether a path is a pipe.
#[cfg(unix)]
pub fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    fs::metadata(path).is_ok_and(|m| m.file_type().is_fifo())
}

/// Whether a path is a pipe.
#[cfg(not(unix))]
pub fn is_pipe(_: &Path) -> bool {
    false
}

/// A path with `/` between its parts and without `.` and `a/..`.
pub fn tidy(path: &Path) -> String {
    let mut parts: Vec<String> = Vec::new();
    for c in path.components() {
        match c {
            Component::CurDir => {}
            Component::ParentDir if parts.last().is_some_and(|p| p != ".." && !p.is_empty()) => {
                parts.pop();
            }
            Component::ParentDir => parts.push("..".into()),
            Component::RootDir => parts.push(String::new()),
            c => parts.push(c.as_os_str().to_string_lossy().into_owned()),
        }
    }
    match &parts[..] {
        [] => ".".into(),
        [root] if root.is_empty() => "/".into(),
        _ => parts.join("/"),
    }
}

impl Loader for DiskLoader {
    fn load(&self, path: &str, from: Option<&str>) -> Result<(String, Vec<u8>), LoadError> {
        // Sources from other systems have their separators.
        let path = path.replace('\\', "/");
        if path.contains('\0') {
            return Err(LoadError::Missing { near: Vec::new() });
        }
        let beside = from
            .and_then(|f| Path::new(f).parent())
            .map_or_else(|| PathBuf::from(&path), |folder| folder.join(&path));
        let places = std::iter::once(beside).chain(self.search.iter().map(|s| s.join(&path)));
        let (mut first, mut outside) = (None, Ok(()));
        for place in places {
            // Not through the parts: `a/..` behind a symbolic link is elsewhere.
            match self.open(&place) {
                Ok(bytes) => return Ok((tidy(&place), bytes)),
                Err(e @ LoadError::Missing { .. }) => {
                    first.get_or_insert(e);
                }
                // Further folders may have one that may be read.
                Err(LoadError::Outside) => outside = Err(LoadError::Outside),
                Err(e) => return Err(e),
            }
        }
        outside?;
        Err(first.unwrap_or(LoadError::Missing { near: Vec::new() }))
    }

    fn load_any_case(
        &self,
        path: &str,
        from: Option<&str>,
    ) -> Result<(String, Vec<u8>), LoadError> {
        let path = path.replace('\\', "/");
        let beside = from.and_then(|f| Path::new(f).parent());
        let folders = beside
            .into_iter()
            .chain(self.search.iter().map(PathBuf::as_path));
        for folder in folders {
            if let Some(place) = any_case(folder, &path, &|f| self.names(f)) {
                return Ok((tidy(&place), self.open(&place)?));
            }
        }
        Err(LoadError::Missing { near: Vec::new() })
    }
}

/// A path below a folder that is the same but for upper and lower case.
/// `names` lists a folder.
pub fn any_case(
    folder: &Path,
    path: &str,
    names: &dyn Fn(&Path) -> Rc<[String]>,
) -> Option<PathBuf> {
    let mut place = folder.to_owned();
    for part in path.split('/') {
        if matches!(part, "" | "." | "..") {
            place.push(part);
            continue;
        }
        let names = names(&place);
        let same = || names.iter().filter(|n| n.eq_ignore_ascii_case(part));
        let exact = same().find(|n| *n == part);
        place.push(exact.or(same().next())?);
    }
    Some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("p/inc")).unwrap();
        for f in ["p/main.asm", "p/inc/part.asm", "secret.asm"] {
            fs::write(dir.path().join(f), f).unwrap();
        }
        dir
    }

    #[test]
    fn finds_files_beside_and_in_search_folders() {
        let dir = folder();
        let p = dir.path().join("p");
        let main = p.join("main.asm");
        let main = main.to_str().unwrap();
        let l = DiskLoader::new().allow(&p).search(&p.join("inc"));
        assert_eq!(l.load(main, None).unwrap().1, b"p/main.asm");
        assert_eq!(
            l.load("inc\\part.asm", Some(main)).unwrap().1,
            b"p/inc/part.asm"
        );
        let (name, bytes) = l.load("part.asm", Some(main)).unwrap();
        assert_eq!(bytes, b"p/inc/part.asm");
        assert!(name.ends_with("p/inc/part.asm"));
        assert_eq!(l.loaded().len(), 3);
    }

    #[test]
    fn upper_and_lower_case_may_differ_where_asked() {
        let dir = folder();
        let p = dir.path().join("p");
        let main = p.join("main.asm");
        let main = main.to_str();
        let l = DiskLoader::new().allow(&p).search(&p.join("inc"));
        let (name, bytes) = l.load_any_case("INC\\Part.ASM", main).unwrap();
        assert!(name.ends_with("p/inc/part.asm"), "{name}");
        assert_eq!(bytes, b"p/inc/part.asm");
        assert_eq!(l.load_any_case("PART.asm", main).unwrap().1, bytes);
        assert!(l.load_any_case("none.asm", main).is_err());
        let outside = l.load_any_case("../SECRET.asm", main);
        assert_eq!(outside, Err(LoadError::Outside));
    }

    #[test]
    fn refuses_what_is_outside_or_no_file() {
        let dir = folder();
        let p = dir.path().join("p");
        let main = p.join("main.asm");
        let main = main.to_str();
        let l = DiskLoader::new().allow(&p);
        assert_eq!(l.load("../secret.asm", main), Err(LoadError::Outside));
        assert_eq!(l.load("inc", main), Err(LoadError::NotAFile("a folder")));
        assert_eq!(
            l.load("part.asm\0", main),
            Err(LoadError::Missing { near: vec![] })
        );
        let near = vec!["main.asm".to_owned()];
        assert_eq!(l.load("mian.asm", main), Err(LoadError::Missing { near }));
        // What is in a folder outside is not told.
        let near = vec![];
        assert_eq!(
            l.load("../secert.asm", main),
            Err(LoadError::Missing { near })
        );
        #[cfg(unix)]
        {
            assert_eq!(l.load("/dev/zero", main), Err(LoadError::Outside));
            let all = DiskLoader::new().allow(Path::new("/dev"));
            assert_eq!(
                all.load("/dev/zero", None),
                Err(LoadError::NotAFile("a device"))
            );
            std::os::unix::fs::symlink("../secret.asm", p.join("link")).unwrap();
            assert_eq!(l.load("link", main), Err(LoadError::Outside));
            let l = l.look_in(dir.path());
            assert_eq!(l.load("secret.asm", main), Err(LoadError::Outside));
            let l = l.allow_file(&dir.path().join("secret.asm"));
            assert_eq!(l.load("link", main).unwrap().1, b"secret.asm");
        }
    }

    #[test]
    fn names_are_tidy() {
        let t = |p: &str| tidy(Path::new(p));
        assert_eq!(t("./a/../b/./c"), "b/c");
        assert_eq!(t("../a/b/../../.."), "../..");
        assert_eq!(t("/a/../b"), "/b");
    }
}
