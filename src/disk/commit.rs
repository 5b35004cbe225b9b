//! Writing the files of a build so that all appear or none.
//!
//! Each file is made when it is its turn, written to a temporary file in its folder and
//! synced; only when all are complete are they renamed into place. When a rename fails, those done
//! before are taken back. Two that write into one folder take turns, and one that
//! finds that an output is not what it was when its build began ([`Before`]) writes
//! nothing. What a killed build left is removed by the next one of that output.
//! What is refused, before anything is written:
//!
//! - a path that is one of the inputs, also by another name (link, `..`);
//! - a folder, device, pipe or socket, also behind a symbolic link;
//! - a symbolic link that leads nowhere;
//! - two outputs of one name (upper and lower case count as the same, since some
//!   file systems take them so).
//!
//! A symbolic link to a regular file stays; the file that it leads to is replaced.
//! A replaced file's permissions are kept.

use std::borrow::Cow;
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// Why nothing was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitError {
    /// The output that it is about.
    pub path: PathBuf,
    /// The reason.
    pub reason: String,
}

impl fmt::Display for CommitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot write {}: {}", self.path.display(), self.reason)
    }
}

impl std::error::Error for CommitError {}

/// What a path is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing is there.
    Nothing,
    /// A regular file.
    File,
    /// A symbolic link.
    Link,
    /// What may not be replaced.
    Other(&'static str),
}

/// The operations that writing needs, so that tests can make each of them fail.
pub trait FileSystem {
    /// What a path is, without following a link.
    ///
    /// # Errors
    /// The system's; that there is nothing is no error.
    fn kind(&self, path: &Path) -> io::Result<Kind>;
    /// The path without links and `..`.
    ///
    /// # Errors
    /// The system's.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf>;
    /// Whether two paths are one file, e.g. hard links.
    fn same(&self, a: &Path, b: &Path) -> bool;
    /// Makes a folder whose parent exists.
    ///
    /// # Errors
    /// The system's.
    fn make_folder(&self, path: &Path) -> io::Result<()>;
    /// Removes an empty folder.
    ///
    /// # Errors
    /// The system's.
    fn remove_folder(&self, path: &Path) -> io::Result<()>;
    /// Waits until nobody else writes outputs into a folder, and keeps others waiting
    /// until what it returns is dropped; nothing where the system cannot.
    ///
    /// # Errors
    /// Somebody has been writing for too long.
    fn lock(&self, folder: &Path) -> io::Result<Option<fs::File>>;
    /// What tells whether a file is still the one that it was.
    fn stamp(&self, path: &Path) -> Option<Stamp>;
    /// Temporary files that a build that was killed left for an output.
    fn strays(&self, target: &Path) -> Vec<PathBuf>;
    /// Makes an empty file with a new name beside an output, for that output.
    ///
    /// # Errors
    /// The system's.
    fn create(&self, target: &Path) -> io::Result<PathBuf>;
    /// Writes all bytes of a file made by [`create`](Self::create).
    ///
    /// # Errors
    /// The system's.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;
    /// Brings a file's bytes to the disk.
    ///
    /// # Errors
    /// The system's.
    fn sync(&self, path: &Path) -> io::Result<()>;
    /// Gives `path` the permissions of `like`.
    ///
    /// # Errors
    /// The system's.
    fn copy_permissions(&self, like: &Path, path: &Path) -> io::Result<()>;
    /// Keeps the content of `path` under a new name in its folder.
    ///
    /// # Errors
    /// The system's.
    fn keep(&self, path: &Path) -> io::Result<PathBuf>;
    /// Renames over what is there.
    ///
    /// # Errors
    /// The system's.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file that was made here.
    ///
    /// # Errors
    /// The system's.
    fn remove(&self, path: &Path) -> io::Result<()>;
}

/// The disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsFiles;

/// Prefix of temporary files; the name of the output follows.
const PREFIX: &str = ".scrimp-";
/// Suffix of temporary files.
const SUFFIX: &str = ".tmp";
/// Random characters in the name of a temporary file, with the hyphen before them.
const RANDOM: usize = 7;
/// Characters of an output's name in that of its temporary files.
const MOST_NAME: usize = 60;
/// How long one writer waits for another.
const PATIENCE: Duration = Duration::from_secs(10);

/// The beginning of the names of an output's temporary files.
fn prefix(target: &Path) -> String {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let name: String = name.chars().take(MOST_NAME).collect();
    format!("{PREFIX}{name}")
}

fn folder_of(target: &Path) -> &Path {
    target.parent().unwrap_or(Path::new("."))
}

fn fresh(target: &Path) -> io::Result<PathBuf> {
    let prefix = format!("{}-", prefix(target));
    let mut builder = tempfile::Builder::new();
    builder
        .prefix(&prefix)
        .suffix(SUFFIX)
        .rand_bytes(RANDOM - 1);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As for any new file; the process's mask applies.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let path = builder.tempfile_in(folder_of(target))?.into_temp_path();
    path.keep().map_err(|e| e.error)
}

/// What tells one content of a path from the next: which file it is, its length, and
/// when it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    id: (u64, u64),
    length: u64,
    modified: Option<SystemTime>,
}

/// What paths were when a build began; nothing for a path without a file.
#[derive(Clone, Debug, Default)]
pub struct Before(Vec<(PathBuf, Option<Stamp>)>);

impl Before {
    /// Looks at paths that may become outputs.
    pub fn of(paths: impl Iterator<Item = PathBuf>) -> Self {
        let look = |p: PathBuf| {
            let stamp = OsFiles.stamp(&p);
            (p, stamp)
        };
        Self(paths.map(look).collect())
    }

    /// What paths were when each was looked at.
    #[must_use]
    pub fn when(looked: Vec<(PathBuf, Option<Stamp>)>) -> Self {
        Self(looked)
    }

    /// The paths.
    pub fn paths(&self) -> impl Iterator<Item = PathBuf> + '_ {
        self.0.iter().map(|(path, _)| path.clone())
    }

    /// A path whose file is no longer what it was.
    #[must_use]
    pub fn changed(&self) -> Option<&Path> {
        let changed = |(path, was): &&(PathBuf, Option<Stamp>)| OsFiles.stamp(path) != *was;
        self.0.iter().find(changed).map(|(path, _)| &**path)
    }

    /// Adds paths that were looked at elsewhere; what stands here already stays.
    pub fn add(&mut self, others: Self) {
        for (path, stamp) in others.0 {
            if !self.0.iter().any(|p| p.0 == path) {
                self.0.push((path, stamp));
            }
        }
    }
}

/// What is to be written, and on which conditions.
#[derive(Clone, Copy, Default)]
pub struct Plan<'a> {
    /// Paths of the files.
    pub files: &'a [PathBuf],
    /// Files that were read, which are never overwritten.
    pub inputs: &'a [PathBuf],
    /// An output that is no longer what it was here belongs to somebody else.
    pub before: Option<&'a Before>,
    /// Asked from time to time: whether to give up, with everything as before.
    pub stop: Option<&'a dyn Fn() -> bool>,
}

impl FileSystem for OsFiles {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        let meta = match fs::symlink_metadata(path) {
            Ok(meta) => meta,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Kind::Nothing),
            Err(e) => return Err(e),
        };
        let t = meta.file_type();
        Ok(if t.is_symlink() {
            Kind::Link
        } else if t.is_file() {
            Kind::File
        } else if t.is_dir() {
            Kind::Other("a folder")
        } else {
            Kind::Other(crate::disk::kind::special(&meta))
        })
    }
    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(path)
    }
    #[cfg(unix)]
    fn same(&self, a: &Path, b: &Path) -> bool {
        use std::os::unix::fs::MetadataExt;
        match (fs::metadata(a), fs::metadata(b)) {
            (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
            _ => false,
        }
    }
    #[cfg(not(unix))]
    fn same(&self, a: &Path, b: &Path) -> bool {
        matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
    }
    fn make_folder(&self, path: &Path) -> io::Result<()> {
        fs::create_dir(path)
    }
    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir(path)
    }
    #[cfg(unix)]
    fn lock(&self, folder: &Path) -> io::Result<Option<fs::File>> {
        use std::fs::TryLockError;
        // The lock goes with the process that holds it, however that ends.
        let Ok(file) = fs::File::open(folder) else {
            return Ok(None);
        };
        let end = Instant::now() + PATIENCE;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Some(file)),
                Err(TryLockError::WouldBlock) if Instant::now() < end => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                Err(TryLockError::WouldBlock) => {
                    let why = format!(
                        "another scrimp has been writing into this folder for {} s",
                        PATIENCE.as_secs()
                    );
                    return Err(io::Error::other(why));
                }
                Err(TryLockError::Error(_)) => return Ok(None),
            }
        }
    }
    #[cfg(not(unix))]
    fn lock(&self, _: &Path) -> io::Result<Option<fs::File>> {
        Ok(None)
    }
    fn stamp(&self, path: &Path) -> Option<Stamp> {
        let meta = fs::metadata(path).ok()?;
        #[cfg(unix)]
        let id = {
            use std::os::unix::fs::MetadataExt;
            (meta.dev(), meta.ino())
        };
        #[cfg(not(unix))]
        let id = (0, 0);
        Some(Stamp {
            id,
            length: meta.len(),
            modified: meta.modified().ok(),
        })
    }
    fn strays(&self, target: &Path) -> Vec<PathBuf> {
        let prefix = prefix(target);
        let own = |name: &str| {
            let rest = name.strip_prefix(&*prefix)?.strip_suffix(SUFFIX)?;
            let random = rest.strip_prefix('-')?;
            let plain = random.bytes().all(|b| b.is_ascii_alphanumeric());
            (rest.len() == RANDOM && plain).then_some(())
        };
        let entries = fs::read_dir(folder_of(target)).into_iter().flatten();
        let names = entries.filter_map(|e| {
            let e = e.ok()?;
            own(e.file_name().to_str()?)?;
            e.file_type().ok()?.is_file().then(|| e.path())
        });
        names.collect()
    }
    fn create(&self, target: &Path) -> io::Result<PathBuf> {
        fresh(target)
    }
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = fs::OpenOptions::new().write(true).open(path)?;
        file.write_all(bytes)
    }
    fn sync(&self, path: &Path) -> io::Result<()> {
        fs::OpenOptions::new().write(true).open(path)?.sync_all()
    }
    fn copy_permissions(&self, like: &Path, path: &Path) -> io::Result<()> {
        fs::set_permissions(path, fs::metadata(like)?.permissions())
    }
    fn keep(&self, path: &Path) -> io::Result<PathBuf> {
        let kept = fresh(path)?;
        // A copy, since not every file system has hard links.
        match fs::copy(path, &kept) {
            Ok(_) => Ok(kept),
            Err(e) => {
                let _ = fs::remove_file(&kept);
                Err(e)
            }
        }
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }
}

/// Writes files to disk, all or none. `inputs` are the files that were read.
///
/// # Errors
/// When one is refused or fails; then every file is as before.
pub fn commit(files: &[(PathBuf, Vec<u8>)], inputs: &[PathBuf]) -> Result<(), CommitError> {
    let paths: Vec<PathBuf> = files.iter().map(|f| f.0.clone()).collect();
    let plan = Plan {
        files: &paths,
        inputs,
        ..Plan::default()
    };
    plan.commit_to(&OsFiles, &mut |i| Ok((&files[i].1).into()))
}

/// Makes the bytes of a file, by its number, when they are to be written: not all are held
/// at once.
pub type Make<'m, 'b, E> = &'m mut dyn FnMut(usize) -> Result<Cow<'b, [u8]>, E>;

/// One file on its way.
struct Item {
    /// As asked for, for messages.
    asked: PathBuf,
    /// Without links.
    target: PathBuf,
    /// Whether a file is there.
    old: bool,
    /// The complete new file, until it is renamed.
    new: Option<PathBuf>,
    /// The old content while others may still fail.
    kept: Option<PathBuf>,
    /// In place.
    done: bool,
}

impl Plan<'_> {
    /// Writes the files, all or none.
    ///
    /// # Errors
    /// When a file is refused, or it or its making fails; then every file is as before.
    pub fn commit_to<E: From<CommitError>>(
        &self,
        fs: &dyn FileSystem,
        make: Make<'_, '_, E>,
    ) -> Result<(), E> {
        let mut folders = Vec::new();
        let mut items = Vec::new();
        // Until the end of this function.
        let mut locks = Vec::new();
        let result = prepare(fs, self, &mut folders, &mut items)
            .and_then(|()| take_turns(fs, &items, &mut locks))
            .and_then(|()| self.unchanged(fs, &items))
            .map_err(E::from)
            .and_then(|()| write_new(fs, self, &mut items, make))
            .and_then(|()| self.replace(fs, &mut items).map_err(E::from));
        for item in &items {
            for stray in item.new.iter().chain(&item.kept) {
                // Nothing more can be done about one that stays.
                let _ = fs.remove(stray);
            }
        }
        if result.is_err() {
            for folder in folders.iter().rev() {
                let _ = fs.remove_folder(folder);
            }
        }
        result
    }

    /// Puts the complete new files in the place of the old ones, or leaves these.
    fn replace(&self, fs: &dyn FileSystem, items: &mut [Item]) -> Result<(), CommitError> {
        let mut result = keep_old(fs, items)
            .and_then(|()| self.go_on(items))
            .and_then(|()| put_in_place(fs, items));
        if let Err(e) = &mut result {
            take_back(fs, items, e);
        }
        result
    }

    /// Refuses when an output is not what it was before the build.
    fn unchanged(&self, fs: &dyn FileSystem, items: &[Item]) -> Result<(), CommitError> {
        let before = self.before.map_or(&[][..], |b| &b.0);
        for item in items {
            let was = before.iter().find(|(path, _)| *path == item.asked);
            if was.is_some_and(|(_, stamp)| *stamp != fs.stamp(&item.asked)) {
                let why = "another build wrote it while this one ran; nothing is written";
                return Err(error(&item.asked, why));
            }
        }
        Ok(())
    }

    fn go_on(&self, items: &[Item]) -> Result<(), CommitError> {
        match items.first() {
            Some(item) if self.stop.is_some_and(|stop| stop()) => {
                Err(error(&item.asked, "interrupted"))
            }
            _ => Ok(()),
        }
    }
}

/// Waits for others that write into the same folders, and removes what those that were
/// killed left there.
fn take_turns(
    fs: &dyn FileSystem,
    items: &[Item],
    locks: &mut Vec<fs::File>,
) -> Result<(), CommitError> {
    // In one order, so that no two wait for each other.
    let mut folders: Vec<(&Path, &Item)> =
        items.iter().map(|i| (folder_of(&i.target), i)).collect();
    folders.sort_by_key(|f| f.0);
    folders.dedup_by_key(|f| f.0);
    for (folder, item) in folders {
        let lock = fs.lock(folder).map_err(|e| error(&item.asked, e))?;
        let Some(lock) = lock else { continue };
        locks.push(lock);
        for item in items.iter().filter(|i| folder_of(&i.target) == folder) {
            for stray in fs.strays(&item.target) {
                let _ = fs.remove(&stray);
            }
        }
    }
    Ok(())
}

fn error(path: &Path, reason: impl fmt::Display) -> CommitError {
    CommitError {
        path: path.to_owned(),
        reason: reason.to_string(),
    }
}

/// Makes the folders and refuses what must not be written.
fn prepare(
    fs: &dyn FileSystem,
    plan: &Plan<'_>,
    folders: &mut Vec<PathBuf>,
    items: &mut Vec<Item>,
) -> Result<(), CommitError> {
    let inputs = plan.inputs;
    for path in plan.files {
        let Some(name) = path.file_name() else {
            return Err(error(path, "it has no file name"));
        };
        let folder = match path.parent() {
            Some(p) if !p.as_os_str().is_empty() => p,
            _ => Path::new("."),
        };
        make_folders(fs, folder, folders).map_err(|e| error(path, e))?;
        let here = fs.resolve(folder).map_err(|e| error(path, e))?.join(name);
        let (target, old) = match fs.kind(&here).map_err(|e| error(path, e))? {
            Kind::Nothing => (here, false),
            Kind::File => (here, true),
            Kind::Other(what) => return Err(error(path, format_args!("it is {what}"))),
            Kind::Link => {
                let to = fs
                    .resolve(&here)
                    .map_err(|e| error(path, format_args!("it is a symbolic link: {e}")))?;
                match fs.kind(&to).map_err(|e| error(path, e))? {
                    Kind::File => (to, true),
                    Kind::Other(what) => {
                        let why = format_args!("it is a symbolic link to {what}");
                        return Err(error(path, why));
                    }
                    Kind::Nothing | Kind::Link => {
                        return Err(error(path, "it is a symbolic link to nothing"));
                    }
                }
            }
        };
        if inputs
            .iter()
            .any(|i| fs.resolve(i).is_ok_and(|i| i == target) || (old && fs.same(i, &target)))
        {
            return Err(error(path, "the program is read from it"));
        }
        let lower = |p: &Path| p.to_string_lossy().to_lowercase();
        if let Some(other) = items.iter().find(|i| {
            lower(&i.target) == lower(&target) || (old && i.old && fs.same(&i.target, &target))
        }) {
            let why = format_args!("{} is the same file", other.asked.display());
            return Err(error(path, why));
        }
        items.push(Item {
            asked: path.clone(),
            target,
            old,
            new: None,
            kept: None,
            done: false,
        });
    }
    Ok(())
}

/// Makes a folder and those above that are missing; notes which.
fn make_folders(fs: &dyn FileSystem, folder: &Path, made: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut missing = Vec::new();
    for f in folder.ancestors() {
        if f.as_os_str().is_empty() || fs.kind(f)? != Kind::Nothing {
            break;
        }
        missing.push(f);
    }
    for f in missing.into_iter().rev() {
        match fs.make_folder(f) {
            Ok(()) => made.push(f.to_owned()),
            // Another build was faster; it is that one's to remove.
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

/// Makes and writes every new file beside its target.
fn write_new<E: From<CommitError>>(
    fs: &dyn FileSystem,
    plan: &Plan<'_>,
    items: &mut [Item],
    make: Make<'_, '_, E>,
) -> Result<(), E> {
    for i in 0..items.len() {
        plan.go_on(items)?;
        let bytes = make(i)?;
        let item = &mut items[i];
        let mut write = || {
            let new = item.new.insert(fs.create(&item.target)?);
            fs.write(new, &bytes)?;
            if item.old {
                fs.copy_permissions(&item.target, new)?;
            }
            fs.sync(new)
        };
        write().map_err(|e| error(&item.asked, e))?;
    }
    Ok(())
}

/// Keeps the old files until all new ones are in place. The last rename needs no copy:
/// when it fails nothing has changed there, and nothing comes after it.
fn keep_old(fs: &dyn FileSystem, items: &mut [Item]) -> Result<(), CommitError> {
    let last = items.len().saturating_sub(1);
    for item in items[..last].iter_mut().filter(|i| i.old) {
        item.kept = Some(fs.keep(&item.target).map_err(|e| error(&item.asked, e))?);
    }
    Ok(())
}

/// Renames all.
fn put_in_place(fs: &dyn FileSystem, items: &mut [Item]) -> Result<(), CommitError> {
    for item in items {
        let Some(new) = &item.new else { continue };
        fs.rename(new, &item.target)
            .map_err(|e| error(&item.asked, e))?;
        item.new = None;
        item.done = true;
    }
    Ok(())
}

/// Puts the old files back, the last first. One that cannot be put back stays
/// under its temporary name, and the error tells.
fn take_back(fs: &dyn FileSystem, items: &mut [Item], error: &mut CommitError) {
    for item in items.iter_mut().rev().filter(|i| i.done) {
        let Some(kept) = item.kept.take() else {
            if !item.old {
                let _ = fs.remove(&item.target);
            }
            continue;
        };
        if fs.rename(&kept, &item.target).is_err() {
            error.reason += &format!(
                "; the old {} is kept as {}",
                item.asked.display(),
                kept.display()
            );
        }
    }
}

#[cfg(test)]
mod tests;
