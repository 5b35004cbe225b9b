//! Writing the files of a build so that all appear or none.
//!
//! Each file is written to a temporary file in its folder and synced; only when
//! all are complete are they renamed into place. When a rename fails, those done
//! before are taken back. What is refused, before anything is written:
//!
//! - a path that is one of the inputs, also by another name (link, `..`);
//! - a folder, device, pipe or socket, also behind a symbolic link;
//! - a symbolic link that leads nowhere;
//! - two outputs of one name (upper and lower case count as the same, since some
//!   file systems take them so).
//!
//! A symbolic link to a regular file stays; the file that it leads to is replaced.
//! A replaced file's permissions are kept.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

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
    /// Makes an empty file with a new name in a folder.
    ///
    /// # Errors
    /// The system's.
    fn create(&self, folder: &Path) -> io::Result<PathBuf>;
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
pub struct Disk;

/// Prefix of temporary files.
const PREFIX: &str = ".scrimp-";

fn fresh(folder: &Path) -> io::Result<PathBuf> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As for any new file; the process's mask applies.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let path = builder.tempfile_in(folder)?.into_temp_path();
    path.keep().map_err(|e| e.error)
}

impl FileSystem for Disk {
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
            Kind::Other(crate::disk::special(&meta))
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
    fn create(&self, folder: &Path) -> io::Result<PathBuf> {
        fresh(folder)
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
        let kept = fresh(path.parent().unwrap_or(Path::new(".")))?;
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
    commit_to(&Disk, files, inputs)
}

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

/// [`commit`] on any file system.
///
/// # Errors
/// When a file is refused or fails; then every file is as before.
pub fn commit_to(
    fs: &dyn FileSystem,
    files: &[(PathBuf, Vec<u8>)],
    inputs: &[PathBuf],
) -> Result<(), CommitError> {
    let mut folders = Vec::new();
    let mut items = Vec::new();
    let mut result = prepare(fs, files, inputs, &mut folders, &mut items)
        .and_then(|()| write_new(fs, files, &mut items))
        .and_then(|()| put_in_place(fs, &mut items));
    if let Err(e) = &mut result {
        take_back(fs, &mut items, e);
    }
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

fn error(path: &Path, reason: impl fmt::Display) -> CommitError {
    CommitError {
        path: path.to_owned(),
        reason: reason.to_string(),
    }
}

/// Makes the folders and refuses what must not be written.
fn prepare(
    fs: &dyn FileSystem,
    files: &[(PathBuf, Vec<u8>)],
    inputs: &[PathBuf],
    folders: &mut Vec<PathBuf>,
    items: &mut Vec<Item>,
) -> Result<(), CommitError> {
    for (path, _) in files {
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
        fs.make_folder(f)?;
        made.push(f.to_owned());
    }
    Ok(())
}

/// Writes every new file beside its target.
fn write_new(
    fs: &dyn FileSystem,
    files: &[(PathBuf, Vec<u8>)],
    items: &mut [Item],
) -> Result<(), CommitError> {
    for (item, (_, bytes)) in items.iter_mut().zip(files) {
        let mut write = || {
            let folder = item.target.parent().unwrap_or(Path::new("."));
            let new = item.new.insert(fs.create(folder)?);
            fs.write(new, bytes)?;
            if item.old {
                fs.copy_permissions(&item.target, new)?;
            }
            fs.sync(new)
        };
        write().map_err(|e| error(&item.asked, e))?;
    }
    Ok(())
}

/// Renames all. The last rename needs no copy of the old file: when it fails
/// nothing has changed there, and nothing comes after it.
fn put_in_place(fs: &dyn FileSystem, items: &mut [Item]) -> Result<(), CommitError> {
    let last = items.len().saturating_sub(1);
    for item in items[..last].iter_mut().filter(|i| i.old) {
        item.kept = Some(fs.keep(&item.target).map_err(|e| error(&item.asked, e))?);
    }
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
