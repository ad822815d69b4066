//! Files of the corpus with random defects: whatever they do to a decoder, each one is settled.
//!
//! This finds what a fuzzer would find, on stable Rust, and at the boundary that matters: a child
//! that answers, or names the bound that it exceeded. `PRESSLINE_TEST_MUTATED_FILES` is the number
//! of files, and `PRESSLINE_TEST_MUTATION_SEED` repeats the files of a failure.

use std::env;

use fastrand::Rng;
use libtest_mimic::Failed;
use pressline_domain::media::{Depth, UnreadableReason};

use crate::child::decode;
use crate::corpus::{self, Case};

const FILES: &str = "PRESSLINE_TEST_MUTATED_FILES";
const SEED: &str = "PRESSLINE_TEST_MUTATION_SEED";
/// Larger files are bombs of known kinds, and take seconds.
const LARGEST: usize = 100_000;

pub(crate) fn each_one_is_settled() -> Result<(), Failed> {
    let files = number(FILES).unwrap_or(100);
    let seed = number(SEED).unwrap_or(1);
    let mut random = Rng::with_seed(seed);
    let mut cases = corpus::cases();
    cases.retain(|case| (1..LARGEST).contains(&case.bytes.len()));
    for file in 0..files {
        let case = &cases[random.usize(..cases.len())];
        let bytes = mutated(case, &cases, &mut random);
        let problem = settle(&bytes).err();
        if let Some(problem) = problem {
            let name = case.name;
            let path = env::temp_dir().join(format!("mutated-{seed}-{file}"));
            std::fs::write(&path, &bytes)?;
            let path = path.display();
            return Err(
                format!("file {file} of {SEED}={seed}, from {name}, in {path}: {problem}").into(),
            );
        }
    }
    Ok(())
}

fn settle(bytes: &[u8]) -> Result<(), String> {
    let decoded = decode(bytes).map_err(|error| format!("{error:?}"))?;
    let facts = &decoded.facts;
    let is_readable = facts.unreadable.is_none();
    if facts.unreadable == Some(UnreadableReason::Crashed) {
        return Err("the child process crashed".to_owned());
    }
    if decoded.preview.is_some() != decoded.thumbnail.is_some()
        || (decoded.preview.is_some() && !is_readable)
        || (facts.depth == Depth::Full) != decoded.preview.is_some()
    {
        return Err(format!("images and facts do not agree: {facts:?}"));
    }
    Ok(())
}

/// Returns the bytes of `case` after one to eight changes: other bytes, bytes of another file, or
/// an early end.
fn mutated(case: &Case, cases: &[Case], random: &mut Rng) -> Vec<u8> {
    let mut bytes = case.bytes.clone();
    for _ in 0..random.usize(1..=8) {
        let place = random.usize(..bytes.len());
        match random.u8(..8) {
            0 => bytes.truncate(place.max(1)),
            1 => {
                let other = &cases[random.usize(..cases.len())].bytes;
                let end = (place + random.usize(1..64)).min(other.len());
                let part = other.get(place..end).unwrap_or_default();
                bytes.splice(place..place, part.iter().copied());
            }
            2 => bytes[place] = *random.choice(&[0, 1, 127, 128, 255]).unwrap_or(&0),
            3 => bytes[place] = bytes[place].wrapping_add(random.u8(..3)).wrapping_sub(1),
            4 => {
                let end = (place + 4).min(bytes.len());
                bytes[place..end].fill(0xff);
            }
            _ => bytes[place] ^= 1 << random.u8(..8),
        }
    }
    bytes
}

fn number(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}
