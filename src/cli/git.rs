//! Files of a revision in git, by asking the `git` command.

use crate::disk::{any_case, tidy};
use crate::text::source::{LoadError, Loader, MAX_FILE};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Loads files as they were at a revision; paths are relative to the current folder.
pub struct GitLoader {
    revision: String,
    search: Vec<PathBuf>,
    /// Folders, tidy, that may be read; none said is all of the repository.
    only: Option<Vec<PathBuf>>,
}

impl GitLoader {
    /// A loader for a revision; `None` if git knows none of that name here.
    pub fn new(revision: &str) -> Option<Self> {
        let out = Command::new("git")
            .args(["rev-parse", "--verify", "--quiet", "--end-of-options"])
            .arg(format!("{revision}^{{commit}}"))
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .ok()?;
        let commit = String::from_utf8(out.stdout).ok()?.trim().to_owned();
        (out.status.success() && !commit.is_empty()).then(|| Self {
            revision: commit,
            search: Vec::new(),
            only: None,
        })
    }

    /// Searches a folder for included files too.
    pub fn search(&mut self, folder: PathBuf) {
        self.search.push(folder);
    }

    /// Reads below these folders only.
    pub fn only<'a>(&mut self, folders: impl Iterator<Item = &'a Path>) {
        self.only = Some(folders.map(|f| PathBuf::from(tidy(f))).collect());
    }

    fn may_read(&self, path: &Path) -> bool {
        let path = PathBuf::from(tidy(path));
        let below = |f: &PathBuf| {
            // The current folder has all that does not lead out of it.
            let here = f == Path::new(".") && !path.starts_with("..") && path.is_relative();
            here || path.starts_with(f)
        };
        self.only.as_ref().is_none_or(|o| o.iter().any(below))
    }

    /// Names in a folder.
    fn names(&self, folder: &Path) -> Vec<String> {
        let tree = format!(
            "{}:./{}",
            self.revision,
            tidy(folder).trim_start_matches('.')
        );
        let out = Command::new("git")
            .args(["ls-tree", "--name-only", &tree])
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output();
        let text = out.map(|o| String::from_utf8_lossy(&o.stdout).into_owned());
        text.unwrap_or_default()
            .lines()
            .map(str::to_owned)
            .collect()
    }

    fn show(&self, path: &Path) -> Option<Result<Vec<u8>, LoadError>> {
        if !self.may_read(path) {
            return Some(Err(LoadError::Outside));
        }
        let name = format!("{}:./{}", self.revision, tidy(path));
        let git = |what: &str| {
            Command::new("git")
                .args(["cat-file", what, &name])
                .stdin(Stdio::null())
                .stderr(Stdio::null())
                .output()
        };
        let size = git("-s").ok().filter(|o| o.status.success())?;
        let size: u64 = String::from_utf8(size.stdout).ok()?.trim().parse().ok()?;
        if size > MAX_FILE {
            return Some(Err(LoadError::TooLarge(size)));
        }
        let out = git("blob").ok()?;
        if !out.status.success() {
            return Some(Err(LoadError::NotAFile("a folder")));
        }
        Some(Ok(out.stdout))
    }
}

impl Loader for GitLoader {
    fn load(&self, path: &str, from: Option<&str>) -> Result<(String, Vec<u8>), LoadError> {
        let path = path.replace('\\', "/");
        if Path::new(&path).is_absolute() || path.contains('\0') {
            return Err(LoadError::Outside);
        }
        let beside = from
            .and_then(|f| Path::new(f).parent())
            .map_or_else(|| PathBuf::from(&path), |folder| folder.join(&path));
        let places = std::iter::once(beside).chain(self.search.iter().map(|s| s.join(&path)));
        for place in places {
            if let Some(found) = self.show(&place) {
                return found.map(|bytes| (tidy(&place), bytes));
            }
        }
        Err(LoadError::Missing { near: Vec::new() })
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
            if let Some(place) = any_case(folder, &path, &|f| self.names(f))
                && let Some(found) = self.show(&place)
            {
                return found.map(|bytes| (tidy(&place), bytes));
            }
        }
        Err(LoadError::Missing { near: Vec::new() })
    }
}
