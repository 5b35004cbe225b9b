//! File formats that belong to a machine.

/// What a container writer sees of an assembled program.
pub trait ImageView {
    /// The bytes by address, in order of address, not overlapping: (address,
    /// bytes). Several pieces where the image has gaps.
    fn pieces(&self) -> Vec<(u64, &[u8])>;
    /// Value of a symbol.
    fn symbol(&self, name: &str) -> Option<i64>;
    /// An option of the program file or the command line (`layout`, `mode`, ...).
    fn option(&self, name: &str) -> Option<&str>;
    /// Name of the program, without folder and extension.
    fn name(&self) -> &str;
}

/// Why a container could not be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContainerError {
    /// What is wrong, with figures.
    pub message: String,
    /// What would mend it.
    pub help: Option<String>,
    /// The address it is about, so that the engine can name who filled it.
    pub address: Option<u64>,
    /// The option of the file format it is about, so that the engine can show where it is set.
    pub option: Option<String>,
}

impl ContainerError {
    /// Says which option it is about.
    #[must_use]
    pub fn of(mut self, option: &str) -> Self {
        self.option = Some(option.to_owned());
        self
    }
}

/// What a writer made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contained {
    /// The file.
    pub bytes: Vec<u8>,
    /// Bytes of it that are the image's own.
    pub image_bytes: usize,
    /// Bytes that the container added: what they are and how many.
    pub added: Vec<(&'static str, usize)>,
    /// Things worth a warning.
    pub warnings: Vec<String>,
}

/// A file format, e.g. the ZX81's `.p`.
#[derive(Clone, Copy)]
pub struct Container {
    /// Name for `--emit`, and file extension.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// Where its first byte lies, if its bytes are memory as the CPU sees it, which may
    /// hold instructions.
    pub memory: Option<u64>,
    /// Emulators load symbols from a file of its whole name with `.sym` behind.
    pub symbols_behind: bool,
    /// The reader, where its contents can be instructions at addresses of their own.
    pub read: Option<Reader>,
    /// The writer.
    pub write: fn(&dyn ImageView) -> Result<Contained, ContainerError>,
}

/// What is in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// The bytes by linear address.
    pub pieces: Vec<(u64, Vec<u8>)>,
    /// Names that a source must give values for the writer to make the same file.
    pub names: Vec<(String, i64)>,
}

/// What reads a file; the error says what is wrong with it.
pub type Reader = fn(&[u8]) -> Result<Contents, String>;
