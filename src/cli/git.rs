//! Files of a revision in git, by asking the `git` command.

use crate::disk::{any_case, tidy};
use crate::text::source::{LoadError, Loader, MAX_FILE};
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::rc::Rc;

/// Most paths that git is asked for: each takes a process.
const MOST_PATHS: usize = 2_000;

/// What git says of a path: nothing if it is not there.
type Shown = Option<Result<Rc<[u8]>, LoadError>>;

/// Loads files as they were at a revision; paths are relative to the current folder.
pub struct GitLoader {
    revision: String,
    search: Vec<PathBuf>,
    /// Folders, tidy, that may be read; none said is all of the repository.
    only: Option<Vec<PathBuf>>,
    /// What git has said of files, and the names in folders.
    files: RefCell<HashMap<String, Shown>>,
    folders: RefCell<HashMap<String, Rc<[String]>>>,
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
            files: RefCell::default(),
            folders: RefCell::default(),
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
    fn names(&self, folder: &Path) -> Rc<[String]> {
        let folder = tidy(folder);
        let mut folders = self.folders.borrow_mut();
        if let Some(names) = folders.get(&folder) {
            return names.clone();
        }
        if folders.len() >= MOST_PATHS {
            return Rc::default();
        }
        let tree = format!("{}:./{}", self.revision, folder.trim_start_matches('.'));
        let out = Command::new("git")
            .args(["ls-tree", "--name-only", &tree])
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output();
        let text = out.map(|o| String::from_utf8_lossy(&o.stdout).into_owned());
        let text = text.unwrap_or_default();
        let names: Rc<[String]> = text.lines().map(str::to_owned).collect();
        folders.insert(folder, names.clone());
        names
    }

    fn show(&self, path: &Path) -> Option<Result<Vec<u8>, LoadError>> {
        if !self.may_read(path) {
            return Some(Err(LoadError::Outside));
        }
        let path = tidy(path);
        let mut files = self.files.borrow_mut();
        if files.len() >= MOST_PATHS && !files.contains_key(&path) {
            let why = format!("more than {MOST_PATHS} files of a revision are not read");
            return Some(Err(LoadError::Io(why)));
        }
        let shown = files.entry(path).or_insert_with_key(|p| self.ask(p));
        let shown = shown.clone()?;
        Some(shown.map(|bytes| bytes.to_vec()))
    }

    /// Asks git for a file.
    fn ask(&self, path: &str) -> Shown {
        let name = format!("{}:./{path}", self.revision);
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
        Some(Ok(out.stdout.into()))
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
