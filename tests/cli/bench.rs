//! A folder in which the command runs.

use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A folder with files, in which the command runs.
pub struct Bench(pub TempDir);

impl Bench {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let b = Self(tempfile::tempdir().expect("a folder"));
        for (name, text) in files {
            let path = b.path(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        b
    }
    pub fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }
    pub fn read(&self, name: &str) -> Option<Vec<u8>> {
        std::fs::read(self.path(name)).ok()
    }
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_scrimp"));
        command
            .args(args)
            .current_dir(self.0.path())
            .env_remove("CLICOLOR_FORCE")
            .env("NO_COLOR", "1")
            .stdin(Stdio::null());
        command
    }
    pub fn run(&self, args: &[&str]) -> Ran {
        let out = self.command(args).output().expect("the command runs");
        Ran::new(out)
    }
    /// Names in a folder, in order, also hidden ones.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(folder)).into_iter().flatten();
        let name = |e: std::io::Result<std::fs::DirEntry>| {
            e.expect("an entry")
                .file_name()
                .into_string()
                .expect("text")
        };
        let mut names: Vec<_> = entries.map(name).collect();
        names.sort();
        names
    }
}

/// How a command ended.
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn new(o: Output) -> Self {
        let text = |b| String::from_utf8(b).expect("text");
        Self {
            code: o.status.code(),
            out: text(o.stdout),
            err: text(o.stderr),
        }
    }
}
