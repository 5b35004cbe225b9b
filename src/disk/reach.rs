//! How far a program reaches: which files it may read, and where its outputs may go. A
//! `program.toml` may be a stranger's, so it reaches no further than its own folder and the
//! folder of outputs, unless who opens it says so.

use super::DiskLoader;
use std::fs;
use std::path::{Path, PathBuf};

/// The disk as a program may see it: what its own place allows, and what was said beside.
///
/// ```
/// use scrimp::disk::reach::Disk;
///
/// let disk = Disk::here().search("lib").allow("../common");
/// # drop(disk);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Disk {
    search: Vec<PathBuf>,
    allow: Vec<PathBuf>,
    files: Vec<PathBuf>,
}

impl Disk {
    /// Seen from the current folder, with nothing more allowed than a program's own place.
    pub fn here() -> Self {
        Self::default()
    }

    /// Searches this folder for included files too.
    #[must_use]
    pub fn search(mut self, folder: impl Into<PathBuf>) -> Self {
        self.search.push(folder.into());
        self
    }

    /// Lets programs read below this folder too.
    #[must_use]
    pub fn allow(mut self, folder: impl Into<PathBuf>) -> Self {
        self.allow.push(folder.into());
        self
    }

    /// Lets programs read this file.
    #[must_use]
    pub fn allow_file(mut self, file: impl Into<PathBuf>) -> Self {
        self.files.push(file.into());
        self
    }

    /// Reads for a source file in this folder that is named by itself. It may read: the
    /// current folder, its own folder and the one above (where sources keep common parts), the
    /// repository it is in, and the folders that were said.
    pub fn of_source(&self, folder: &Path) -> DiskLoader {
        let here = match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder,
        };
        let mut l = DiskLoader::new().allow(Path::new(".")).allow(here);
        if let Ok(full) = here.canonicalize() {
            // The root of the file system is nobody's project.
            if let Some(above) = full.parent().filter(|a| a.parent().is_some()) {
                l = l.allow(above);
            }
            if let Some(top) = full.ancestors().find(|a| a.join(".git").exists()) {
                l = l.allow(top);
            }
        }
        // Other assemblers start from the current folder, wherever the file is that
        // names another.
        self.said(l).search(folder).search(Path::new(""))
    }

    /// Reads for a `program.toml` in this folder: below it, and what was said.
    pub fn of_folder(&self, folder: &Path) -> DiskLoader {
        self.said(DiskLoader::new()).search(folder)
    }

    /// Adds what was said.
    fn said(&self, mut l: DiskLoader) -> DiskLoader {
        for i in &self.search {
            l = l.search(i);
        }
        for a in &self.allow {
            l = l.allow(a);
        }
        for f in &self.files {
            l = l.allow_file(f);
        }
        l
    }
}

/// A path without links as far as it exists.
fn resolve(path: &Path) -> PathBuf {
    let path = match path.as_os_str().is_empty() {
        true => Path::new("."),
        false => path,
    };
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for above in path.ancestors() {
        if let Ok(real) = fs::canonicalize(above) {
            let rest = path.strip_prefix(above).unwrap_or(Path::new(""));
            return match rest.as_os_str().is_empty() {
                true => real,
                false => real.join(rest),
            };
        }
    }
    path
}

fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|m| m.is_symlink())
}

/// Whether a path stays in a folder, which is no link itself.
pub fn stays_in(path: &Path, folder: &Path) -> bool {
    !is_link(folder) && resolve(path).starts_with(resolve(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn links_lead_out() {
        let dir = tempfile::tempdir().unwrap();
        let at = |n: &str| dir.path().join(n);
        fs::create_dir_all(at("build/deep")).unwrap();
        fs::create_dir(at("other")).unwrap();
        assert!(stays_in(&at("build/x.bin"), &at("build")));
        assert!(stays_in(&at("new/x.bin"), &at("new")));
        std::os::unix::fs::symlink("../other", at("build/out")).unwrap();
        std::os::unix::fs::symlink("other", at("linked")).unwrap();
        assert!(!stays_in(&at("build/out/x.bin"), &at("build")));
        assert!(!stays_in(&at("linked/x.bin"), &at("linked")));
    }
}
