//! What can be written on the command line.

use clap::{Args, FromArgMatches, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// Assembles for tiny machines, accounts for every byte and runs the result.
#[derive(Parser, Debug)]
#[command(
    name = "scrimp",
    version,
    disable_help_subcommand = true,
    after_help = "First steps: `scrimp play zx81-chess-seed`, `scrimp build FILE`, `scrimp help` for the manual.\n\nExit codes: 0 good, 1 errors in the source, 2 wrong usage or a failed read or write, 3 a byte budget exceeded."
)]
pub struct Cli {
    #[command(flatten)]
    pub messages: MessageArgs,
    #[command(subcommand)]
    pub command: Command,
}

/// What all commands take.
#[derive(Args, Debug)]
pub struct MessageArgs {
    /// When to use colour; NO_COLOR and CLICOLOR_FORCE count too
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: When,
    /// How to print findings
    #[arg(
        long,
        global = true,
        value_name = "FORMAT",
        default_value = "human",
        help_heading = "Options"
    )]
    pub message_format: MessageFormat,
}

impl Cli {
    /// A build with arguments that say nothing of other commands and ask for no help;
    /// `None` for all others, and where there is anything to say about the arguments. The
    /// tables of all commands take longer to make than a short source to assemble.
    pub fn of_build(args: &[OsString]) -> Option<Self> {
        let (_, rest) = args.split_first()?;
        if rest.first()? != "build" {
            return None;
        }
        let line = MessageArgs::augment_args(BuildArgs::augment_args(clap::Command::new("build")));
        let mut found = line.try_get_matches_from(rest).ok()?;
        Some(Self {
            messages: MessageArgs::from_arg_matches_mut(&mut found).ok()?,
            command: Command::Build(BuildArgs::from_arg_matches_mut(&mut found).ok()?),
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// With the source lines, for people
    Human,
    /// One line each, as gcc has them, for editors
    Short,
    /// Commands of a GitHub workflow, which mark the lines
    Github,
    /// One JSON object a line
    Json,
    /// One SARIF 2.1.0 log at the end, for code scanning
    Sarif,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Make a folder with a small program to begin with
    New(NewArgs),
    /// Assemble a program and write its files
    Build(BuildArgs),
    /// Write what the optimizer finds into the sources
    Optimize(OptimizeArgs),
    /// Assemble programs and check their budgets, writing nothing
    Check(CheckArgs),
    /// Play a program on its machine in the terminal
    Play(PlayArgs),
    /// Run a program on its machine without a terminal, for scripts
    Run(RunArgs),
    /// Run a program's tests on its machine
    Test(TestArgs),
    /// Serve a program as an engine for XBoard and other interfaces: CECP and UCI
    Bridge(BridgeArgs),
    /// Play games between programs and other engines, and count them
    Match(MatchArgs),
    /// Show which section and routine uses how many bytes
    Size(SizeArgs),
    /// Turn bytes into source that assembles to the same bytes
    Disasm(DisasmArgs),
    /// Write a program in another assembler's language, with the same bytes
    Translate(TranslateArgs),
    /// Print what the assembler has between its stages: tokens, items, placement
    Dump(DumpArgs),
    /// Explain a finding by its code or name, or a rule of the optimizer
    Explain(ExplainArgs),
    /// List the rules of the optimizer, or prove them anew
    Rules(RulesArgs),
    /// List targets, machines, regions, file formats and dialects
    Targets,
    /// Show a page of the manual, or help on a command
    Help(HelpArgs),
    /// Print completions for a shell
    Completions(CompletionsArgs),
    /// Print the manual pages for `man`
    Man(ManArgs),
}

/// Options that few need come last.
const LINKING: &str = "Linking";

/// How a source is read, whatever is done with it.
#[derive(Args, Debug, Clone, Default)]
pub struct SourceArgs {
    /// Instruction set
    #[arg(long, value_name = "NAME")]
    pub target: Option<String>,
    /// Machine, which brings memory regions and file formats
    #[arg(long, value_name = "NAME")]
    pub machine: Option<String>,
    /// Language of the source: native, or another assembler's
    #[arg(long, value_name = "NAME")]
    pub dialect: Option<String>,
    /// Define a symbol, or a text where the dialect has such
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE")]
    pub define: Vec<String>,
    /// Search this folder for included files too
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Let the program read below this folder too
    #[arg(long, value_name = "DIR")]
    pub allow_read: Vec<PathBuf>,
    /// Set an option of a file format, e.g. layout or mode
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub option: Vec<String>,
}

/// Which program, and how to assemble it.
#[derive(Args, Debug, Clone, Default)]
pub struct ProgramArgs {
    /// A folder with a program.toml, an assembly file, - for standard input, or a program
    /// shipped with scrimp [default: the current folder]
    #[arg(value_name = "PROGRAM")]
    pub program: Option<String>,
    /// Further files to link with an assembly file, in a dialect that links
    #[arg(value_name = "FILE")]
    pub files: Vec<String>,
    /// Put a section at an address, in a dialect that links
    #[arg(long, help_heading = LINKING, value_name = "NAME=ADDRESS")]
    pub section_start: Vec<String>,
    /// Give a symbol that no file defines a value, in a dialect that links
    #[arg(long, help_heading = LINKING, value_name = "NAME=VALUE")]
    pub defsym: Vec<String>,
    /// Make long jumps and calls short where that reaches
    #[arg(long, help_heading = LINKING)]
    pub relax: bool,
    /// Run the Lua scripts of a source, in the dialect sjasmplus
    #[arg(long)]
    pub lua: bool,
    #[command(flatten)]
    pub source: SourceArgs,
    /// Read this file before the program
    #[arg(short = 'i', long = "pre-include", value_name = "FILE")]
    pub pre_include: Vec<String>,
    /// Read this directive at the end of the main file, e.g. "lines 200, reset"
    #[arg(long, value_name = "DIRECTIVE")]
    pub promise: Vec<String>,
    #[command(flatten)]
    pub warnings: WarningArgs,
}

/// Which warnings count.
#[derive(Args, Debug, Clone, Default)]
pub struct WarningArgs {
    /// Show warnings of this name or group; no-NAME silences them
    #[arg(
        short = 'W',
        long = "warn",
        value_name = "[no-]NAME",
        value_delimiter = ','
    )]
    pub warn: Vec<String>,
    /// Make warnings of these names or groups errors: truncated, unproven, warnings (all)
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub deny: Vec<String>,
}

#[derive(Args, Debug)]
pub struct TranslateArgs {
    /// The main file of the program, - for standard input, or a folder with a program.toml
    #[arg(value_name = "FILE")]
    pub program: String,
    /// Language that it is in
    #[arg(long, value_name = "DIALECT")]
    pub from: Option<String>,
    /// Language to write
    #[arg(long, value_name = "DIALECT", default_value = "native")]
    pub to: String,
    /// Folder for the files; a program of one file is printed without it
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Instruction set
    #[arg(long, value_name = "NAME")]
    pub target: Option<String>,
    /// Machine, which brings memory regions
    #[arg(long, value_name = "NAME")]
    pub machine: Option<String>,
    /// Define a symbol, or a text where the dialect has such
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE")]
    pub define: Vec<String>,
    /// Search this folder for included files too
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Let the program read below this folder too
    #[arg(long, value_name = "DIR")]
    pub allow_read: Vec<PathBuf>,
}

#[derive(Args, Debug)]
pub struct NewArgs {
    /// The folder to make; its last part names the program
    #[arg(value_name = "NAME")]
    pub folder: String,
    /// Instruction set, whose usual machine is taken
    #[arg(long, value_name = "NAME")]
    pub target: Option<String>,
    /// Machine or device
    #[arg(long, value_name = "NAME")]
    pub machine: Option<String>,
}

#[derive(Args, Debug)]
pub struct BuildArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Where to write: a file, or a stem where there are several formats, or a folder, or
    /// - for standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// File formats: bin, hex, eep, mhex, fuses, srec, elf, lst, map, sym, sld, json and those of the machine
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub emit: Vec<String>,
    /// Write what the outputs depend on beside the first of them, as a rule for make and
    /// ninja; -MD too
    #[arg(long)]
    pub dependencies: bool,
    /// Write that rule to this file; -MF FILE too
    #[arg(long, value_name = "FILE")]
    pub depfile: Option<PathBuf>,
    /// Name of the rule's target instead of the outputs; -MT NAME too
    #[arg(long, value_name = "NAME")]
    pub depfile_target: Vec<String>,
    /// Make the program smaller, with a proof for each change
    #[arg(short = 'O', long)]
    pub optimize: bool,
    #[command(flatten)]
    pub optimizer: OptimizerArgs,
    /// Also write the files of the memory that the source asks for (`SAVEBIN`)
    #[arg(long)]
    pub saves: bool,
    /// Print no summary
    #[arg(short, long)]
    pub quiet: bool,
    /// Build again whenever a file changes that it was built from
    #[arg(short, long)]
    pub watch: bool,
}

/// What `-O` does, and what it tells.
#[derive(Args, Debug)]
pub struct OptimizerArgs {
    /// Only this pass of the optimizer
    #[arg(
        long,
        value_name = "NAME",
        requires = "optimize",
        value_delimiter = ','
    )]
    pub pass: Vec<String>,
    /// Without this pass of the optimizer
    #[arg(
        long,
        value_name = "NAME",
        requires = "optimize",
        value_delimiter = ','
    )]
    pub no_pass: Vec<String>,
    /// Only the first N changes of the optimizer, to find one that is wrong
    #[arg(long, value_name = "N", requires = "optimize")]
    pub most_changes: Option<usize>,
    /// Try N other orders of passes and choices of changes, and take the best
    #[arg(long, value_name = "N", requires = "optimize", conflicts_with_all = ["most_changes", "replay"], num_args = 0..=1, require_equals = true, default_missing_value = "30", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub search: Option<u32>,
    /// No way through the program may take longer than so many percent more
    #[arg(long, value_name = "N%", requires = "optimize", conflicts_with = "replay", value_parser = percent)]
    pub slower_at_most: Option<u32>,
    /// A contract for the optimizer: `SUBJECT: CLAUSES`
    #[arg(long, value_name = "CONTRACT", requires = "optimize")]
    pub contract: Vec<String>,
    /// Try which contracts would save most, N at most, and say so
    #[arg(long, value_name = "N", requires = "optimize", num_args = 0..=1, default_missing_value = "3", value_parser = clap::value_parser!(u8).range(1..=50))]
    pub advice: Option<u8>,
    /// Make only as many changes as the budgets need
    #[arg(long, requires = "optimize", conflicts_with = "most_changes")]
    pub until_budget: bool,
    /// Run the program before and behind the optimizer beside each other for N instructions;
    /// what they do otherwise is an error
    #[arg(long, value_name = "N", requires = "optimize", num_args = 0..=1, default_missing_value = "200000")]
    pub run_both: Option<u64>,
    /// Make the changes of a ledger (.json) again, all of them and no others
    #[arg(long, value_name = "FILE", requires = "optimize", conflicts_with_all = ["most_changes", "until_budget", "pass", "no_pass"])]
    pub replay: Option<PathBuf>,
    /// Write what the optimizer did: .json, .md or text
    #[arg(long, value_name = "FILE", requires = "optimize")]
    pub ledger: Vec<PathBuf>,
}

#[derive(Args, Debug)]
pub struct OptimizeArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Write all files of the program into this folder, with the changes in them
    #[arg(short, long, value_name = "DIR")]
    pub write: Option<PathBuf>,
    /// Replace files in DIR that are others
    #[arg(long, requires = "write")]
    pub force: bool,
    /// Write the changes into the program's own files
    #[arg(long, conflicts_with = "write")]
    pub in_place: bool,
    /// Try N other orders of passes and choices of changes, and take the best
    #[arg(long, value_name = "N", conflicts_with_all = ["only", "rule"], num_args = 0..=1, require_equals = true, default_missing_value = "30", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub search: Option<u32>,
    /// Only the changes of these numbers, as they are listed without --write
    #[arg(long, value_name = "N,M", value_delimiter = ',')]
    pub only: Vec<usize>,
    /// Only changes of this rule or pass
    #[arg(long, value_name = "NAME")]
    pub rule: Vec<String>,
    /// Only this pass of the optimizer
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub pass: Vec<String>,
    /// Without this pass of the optimizer
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub no_pass: Vec<String>,
    /// A contract for the optimizer: `SUBJECT: CLAUSES`
    #[arg(long, value_name = "CONTRACT")]
    pub contract: Vec<String>,
    /// Write what was done: .json, .md or text
    #[arg(long, value_name = "FILE")]
    pub ledger: Vec<PathBuf>,
}

#[derive(Args, Debug)]
pub struct CheckArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Print budgets, promises and clocks as JSON
    #[arg(long)]
    pub json: bool,
    /// Check again whenever a file changes that was read
    #[arg(short, long)]
    pub watch: bool,
}

#[derive(Args, Debug)]
pub struct MachineArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// A ROM image to use instead of scrimp's own firmware
    #[arg(long, value_name = "FILE")]
    pub rom: Option<PathBuf>,
    /// The JSON of a build (--emit json), to watch that a machine file keeps what its
    /// source promises
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,
    /// Load through the machine's own medium, as slow as it was
    #[arg(long)]
    pub tape: bool,
}

#[derive(Args, Debug)]
pub struct PlayArgs {
    #[command(flatten)]
    pub machine: MachineArgs,
    /// Times the speed of the real machine
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub speed: u32,
    /// How to show pixels
    #[arg(long, value_name = "HOW", default_value = "auto")]
    pub pixels: PixelKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PixelKind {
    /// As well as the terminal says it can
    Auto,
    /// By kitty's graphics protocol
    Kitty,
    /// As sixels
    Sixel,
    /// Six blocks in a cell
    Sextants,
    /// Four blocks in a cell
    Quadrants,
    /// Eight dots in a cell
    Braille,
    /// Two blocks in a cell
    Halves,
}

#[derive(Args, Debug)]
pub struct RunArgs {
    #[command(flatten)]
    pub machine: MachineArgs,
    /// Stop after this many clock cycles
    #[arg(long, value_name = "N", conflicts_with = "frames")]
    pub cycles: Option<u64>,
    /// Stop after this many fiftieths of a second [default: 250, keys come after them]
    #[arg(long, value_name = "N")]
    pub frames: Option<u64>,
    /// Keys to press, after --frames: characters, names of the machine's keys (a wrong name
    /// lists them), and wN to wait N frames
    #[arg(long, value_name = "LIST")]
    pub keys: Option<String>,
    /// Frames a key is held, and then not
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub hold: u64,
    /// Bad lines of the picture, or none at all, are no error
    #[arg(long)]
    pub any_signal: bool,
    /// Print the screen at the end
    #[arg(long)]
    pub screen: bool,
    /// Type this at the serial terminal, after --frames and before the keys; \n, \r, \t,
    /// \e and \xNN are understood
    #[arg(long, value_name = "TEXT")]
    pub serial_in: Option<String>,
    /// Print what the program sent to the serial terminal
    #[arg(long)]
    pub serial: bool,
    /// Write the screen as a picture
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
    /// Write the sound as a WAV file
    #[arg(long, value_name = "FILE")]
    pub wav: Option<PathBuf>,
    /// Print N bytes of memory from address or symbol A
    #[arg(long, value_name = "A:N")]
    pub peek: Vec<String>,
    /// Set memory from address or symbol A before the keys
    #[arg(long, value_name = "A:HEX")]
    pub poke: Vec<String>,
    /// Stop when the program reaches this label or address
    #[arg(long, value_name = "LABEL")]
    pub until: Option<String>,
    /// Fail unless a line of the screen contains this text
    #[arg(long, value_name = "TEXT")]
    pub expect: Vec<String>,
    /// Print everything as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct TestArgs {
    /// A folder with a program.toml, an assembly file, or a program shipped with scrimp
    /// [default: the current folder]
    #[arg(value_name = "PROGRAM")]
    pub program: Option<String>,
    /// Only tests with this text in their name
    #[arg(value_name = "FILTER")]
    pub filter: Option<String>,
    /// Take what snapshots are now as what they shall be
    #[arg(long)]
    pub accept: bool,
    /// How to print what came of it
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: TestFormat,
    /// Write that to this file, and print it for people
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write which instructions and ways of branches were executed: as LCOV to FILE.info,
    /// otherwise as a listing
    #[arg(long, value_name = "FILE")]
    pub coverage: Option<PathBuf>,
    /// List the tests only
    #[arg(long)]
    pub list: bool,
    /// A ROM image to use instead of scrimp's own firmware
    #[arg(long, value_name = "FILE")]
    pub rom: Option<PathBuf>,
    #[command(flatten)]
    pub source: SourceArgs,
    #[command(flatten)]
    pub warnings: WarningArgs,
}

/// How `scrimp test` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TestFormat {
    /// For people
    Human,
    /// Test Anything Protocol
    Tap,
    /// JUnit's XML
    Junit,
    /// JSON
    Json,
}

#[derive(Args, Debug)]
pub struct BridgeArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// The level to begin with
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=99))]
    pub level: Option<u8>,
    /// A ROM image to use instead of scrimp's own firmware
    #[arg(long, value_name = "FILE")]
    pub rom: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct MatchArgs {
    #[command(subcommand)]
    pub command: Option<MatchCommand>,
    /// Who plays: program:NAME[@LEVEL], uci:COMMAND[;NAME=VALUE…], cecp:COMMAND[;NAME=VALUE…];
    /// depth, nodes and movetime are names too
    #[arg(value_name = "PLAYER")]
    pub players: Vec<String>,
    /// Games of each two players
    #[arg(short = 'n', long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub games: u32,
    /// What chance begins with
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Which game [default: what the programs play]
    #[arg(long, value_name = "GAME")]
    pub game: Option<MatchGame>,
    /// Openings: a FEN, an EPD or moves on each line
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Without --openings: plies by chance at the beginning, the same for two games
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub plies: u32,
    /// A game of so many plies is a draw
    #[arg(long, value_name = "N", default_value_t = 400)]
    pub most_plies: usize,
    /// Seconds that another engine may take for a move
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub timeout: u64,
    /// Play only the I-th of N parts
    #[arg(long, value_name = "I/N")]
    pub shard: Option<String>,
    /// Write the games as PGN; those that are there already are not played again
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Print the score as JSON
    #[arg(long)]
    pub json: bool,
    /// Tell nothing of each game
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Subcommand, Debug)]
pub enum MatchCommand {
    /// Put the games of parts together and count them
    Merge(MergeArgs),
}

#[derive(Args, Debug)]
pub struct MergeArgs {
    /// Files of games
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Write all games as PGN, as one run would have
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Print the score as JSON
    #[arg(long)]
    pub json: bool,
}

/// Games that matches are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MatchGame {
    /// Chess
    Chess,
    /// Chess from 960 arrays
    Chess960,
    /// Chess of four by four squares with drops
    Tinyhouse,
}

#[derive(Args, Debug)]
pub struct SizeArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Print JSON
    #[arg(long, conflicts_with = "markdown")]
    pub json: bool,
    /// Print Markdown tables
    #[arg(long)]
    pub markdown: bool,
    /// Print how often each register and instruction is used, and what each memory has
    #[arg(long, conflicts_with = "markdown", conflicts_with = "against")]
    pub uses: bool,
    /// Compare with an earlier `size --json` file, or with a revision in git
    #[arg(long, value_name = "FILE|REVISION")]
    pub against: Option<String>,
}

#[derive(Args, Debug)]
pub struct DisasmArgs {
    /// The bytes: Intel HEX, ELF or a machine's own format by its extension, else plain
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Instruction set
    #[arg(long, value_name = "NAME")]
    pub target: Option<String>,
    /// Machine or device whose instructions they are
    #[arg(long, value_name = "NAME")]
    pub machine: Option<String>,
    /// Address of the first of plain bytes [default: that of the format, or 0]
    #[arg(long, value_name = "A")]
    pub org: Option<String>,
    /// Leave out addresses and bytes
    #[arg(long)]
    pub plain: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DumpKind {
    /// The main file as the lexer reads it
    Tokens,
    /// What the statements say, with operands as expressions
    Items,
    /// The items with their addresses and sizes
    Placement,
}

#[derive(Args, Debug)]
pub struct DumpArgs {
    /// Which stage's result
    pub what: DumpKind,
    #[command(flatten)]
    pub program: ProgramArgs,
}

#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// A code such as E0022, a name of warnings, a rule or pass of the optimizer; without
    /// one all codes are listed
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
}

#[derive(Args, Debug)]
pub struct RulesArgs {
    #[command(subcommand)]
    pub command: RulesCommand,
}

#[derive(Subcommand, Debug)]
pub enum RulesCommand {
    /// List the rules with the bytes that each saves and how it is proven
    List(RuleTarget),
    /// Prove all rules anew, from the meaning of the instructions
    Prove(RuleTarget),
    /// Write the windows of a program: short sequences with what nobody reads behind them
    Harvest(Box<HarvestArgs>),
    /// Search shorter sequences for windows, or for one of N parts of them
    Search(SearchArgs),
    /// Put the rules that several searches found together, all proven anew
    Merge(MergeRulesArgs),
}

#[derive(Args, Debug)]
pub struct HarvestArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Where to [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Without the optimizer before it
    #[arg(long)]
    pub as_it_is: bool,
}

#[derive(Args, Debug)]
pub struct SearchArgs {
    /// Files of `scrimp rules harvest`
    #[arg(value_name = "WINDOWS", required = true)]
    pub windows: Vec<PathBuf>,
    /// Where to [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Only part I of N
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    pub shard: String,
    /// Only the windows of this target
    #[arg(long, value_name = "NAME")]
    pub target: Option<String>,
    /// Only windows that were met so often
    #[arg(long, value_name = "COUNT", default_value_t = 1)]
    pub least: u64,
    /// Instructions of a replacement, at most
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(0..=4))]
    pub most_instructions: usize,
    /// Instructions that are tried for a window, at most
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    pub runs: u64,
}

#[derive(Args, Debug)]
pub struct MergeRulesArgs {
    /// Files of `scrimp rules search`
    #[arg(value_name = "RULES", required = true)]
    pub rules: Vec<PathBuf>,
    /// Where to [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct RuleTarget {
    /// Only the rules of this target
    #[arg(long, value_name = "NAME")]
    pub target: Option<String>,
}

#[derive(Args, Debug)]
pub struct HelpArgs {
    /// A page, a command or a code; without one all pages are listed
    #[arg(value_name = "TOPIC")]
    pub topic: Option<String>,
}

#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: clap_complete::Shell,
}

#[derive(Args, Debug)]
pub struct ManArgs {
    /// Print the page of this command only
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
    /// Write a file for each command into this folder instead
    #[arg(short, long, value_name = "DIR", conflicts_with = "command")]
    pub output: Option<PathBuf>,
}

/// What gcc calls the options of dependencies, for those who have them in their fingers.
pub fn like_gcc(args: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let name = |arg: OsString| match arg.to_str() {
        Some("-MD" | "-MMD") => Some("--dependencies".into()),
        Some("-MF") => Some("--depfile".into()),
        Some("-MT" | "-MQ") => Some("--depfile-target".into()),
        // Rules for each input are always written.
        Some("-MP") => None,
        _ => Some(arg),
    };
    args.filter_map(name).collect()
}

/// A number of hundredths, with or without its sign.
fn percent(text: &str) -> Result<u32, String> {
    let number = text.trim().trim_end_matches('%').trim_end();
    let all = number.parse().ok().filter(|n| *n <= 100_000);
    all.ok_or_else(|| "a whole number from 0 to 100000 is wanted, as in 10%".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_build_alone_is_read_as_among_all_commands() {
        let alike = [
            "scrimp build a.asm",
            "scrimp build",
            "scrimp build a.asm b.asm --color never -o x --emit bin,lst --quiet -D a=1 -Db",
            "scrimp build --message-format short --target some -O --slower-at-most 10% -W no-x a.asm",
            "scrimp build -- -a.asm",
            "scrimp build - -O --advice --run-both",
        ];
        for line in alike {
            let args: Vec<OsString> = line.split(' ').map(Into::into).collect();
            let alone = Cli::of_build(&args).map(|c| format!("{c:?}"));
            let among = Cli::try_parse_from(&args).map(|c| format!("{c:?}"));
            assert_eq!(alone, among.ok(), "{line}");
            assert!(alone.is_some(), "{line}");
        }
        let others = [
            "scrimp",
            "scrimp check a.asm",
            "scrimp --color never build a.asm",
            "scrimp build --help",
            "scrimp build -h",
            "scrimp build --version",
            "scrimp build --nothing",
            "scrimp build a.asm --color sometimes",
            "scrimp build --pass x a.asm",
            "scrimp build help",
        ];
        for line in others {
            let args: Vec<OsString> = line.split(' ').map(Into::into).collect();
            let alone = Cli::of_build(&args).map(|c| format!("{c:?}"));
            let among = Cli::try_parse_from(&args).map(|c| format!("{c:?}"));
            assert!(alone.is_none() || alone == among.ok(), "{line}");
        }
    }

    #[test]
    fn options_as_gcc_has_them() {
        let of = |line: &str| {
            let out = like_gcc(line.split(' ').map(Into::into));
            let out: Vec<_> = out.iter().map(|a| a.to_string_lossy()).collect();
            out.join(" ")
        };
        assert_eq!(of("build -MD a.asm"), "build --dependencies a.asm");
        assert_eq!(
            of("build -MD -MP -MF a.d -MT x a.asm"),
            "build --dependencies --depfile a.d --depfile-target x a.asm"
        );
        assert_eq!(of("build -D M=1"), "build -D M=1");
    }
}
