//! The promises of a machine file, from the JSON of its build.

use super::refusal::Refusal;
use crate::disk;
use crate::text::source::MAX_FILE;
use scrimp_isa::Target;
use scrimp_isa::proof::{Block, Contract, Promises};
use serde::Deserialize;
use std::path::Path;

/// Where bytes are from.
#[derive(Clone, Debug, Deserialize)]
pub struct Origin {
    address: u64,
    length: u64,
    file: Option<String>,
    line: Option<usize>,
}

#[derive(Deserialize)]
struct Map {
    target: String,
    #[serde(default)]
    contracts: Vec<Promised>,
    #[serde(default)]
    blocks: Vec<Charged>,
    #[serde(default)]
    landings: Vec<u64>,
    runs: Vec<Origin>,
}

#[derive(Deserialize)]
struct Promised {
    name: String,
    address: u64,
    values: Vec<i64>,
    words: Vec<String>,
}

#[derive(Deserialize)]
struct Charged {
    address: u64,
    clocks: i64,
}

/// Reads the JSON of a build.
///
/// # Errors
/// It is none, or one for another target.
pub fn read(path: &Path, target: &dyn Target) -> Result<(Promises, Vec<Origin>), Refusal> {
    let text = disk::read_at_most(path, MAX_FILE)?;
    let map: Map = serde_json::from_slice(&text).map_err(|e| {
        format!(
            "{} is not the JSON of a build: {e}; write it with --emit json",
            path.display()
        )
    })?;
    if map.target != target.name() {
        return Err(Refusal::Failed(format!(
            "{} is of a program for {}, not for {}",
            path.display(),
            map.target,
            target.name()
        )));
    }
    let kinds = target.contracts();
    let contracts = map.contracts.into_iter().filter_map(|p| {
        let kind = kinds.iter().position(|k| k.name == p.name)?;
        let known = kinds[kind].words.iter().copied();
        Some(Contract {
            kind,
            address: p.address,
            section: 0,
            values: p.values,
            words: known.filter(|w| p.words.iter().any(|p| p == w)).collect(),
        })
    });
    let blocks = map.blocks.iter().map(|b| Block {
        address: b.address,
        head: 0,
        clocks: b.clocks,
    });
    let promises = Promises {
        contracts: contracts.collect(),
        blocks: blocks.collect(),
        landings: map.landings,
    };
    Ok((promises, map.runs))
}

/// Where the byte at an address is from: `game.asm:17`, or the address.
pub fn place(map: &[Origin], address: u64) -> String {
    let holds = |o: &&Origin| (o.address..o.address + o.length).contains(&address);
    match map.iter().find(holds) {
        Some(Origin {
            file: Some(file),
            line: Some(line),
            ..
        }) => format!("{file}:{line}"),
        _ => format!("at byte {address} of the image"),
    }
}
