//! Blocks of word lists. A block has an entry for each of its words, in ascending order:
//!
//! - the number of bytes that the word shares with the previous word of the block,
//! - the number of remaining bytes of the word, and the remaining bytes,
//! - twice the number of orders with the word, plus 1 if their positions are encoded as a bit set,
//! - the positions: a bit set has its number of bytes and the bytes; otherwise the first position
//!   and the differences between consecutive positions follow.
//!
//! All numbers have a variable length (LEB128), so that nearly all of them take one byte.

use fixedbitset::FixedBitSet;

/// Minimum size of a block of word lists, in bytes, except for the last block of a segment. A
/// search reads a block of each segment for each word. With blocks of 2 KB, the server would send
/// the result in several pieces. Each block is a table row, which adds about 100 bytes.
const BLOCK_BYTES: usize = 512;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) first_word: Vec<u8>,
    pub(super) lists: Vec<u8>,
}

/// A broken block: it ends within an entry, or contains a position beyond the end of its segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a block of word lists cannot be read")]
pub(super) struct BrokenBlock;

/// Each element of `words` is a word and the position of an order with the word.
pub(super) fn blocks(mut words: Vec<(&str, u32)>) -> impl Iterator<Item = Block> {
    words.sort_unstable();
    words.dedup();
    // Index in `words` of the first word of the next block.
    let mut next = 0;
    std::iter::from_fn(move || {
        let rest = words.get(next..)?;
        let (first_word, _) = rest.first()?;
        let mut lists = Vec::with_capacity(BLOCK_BYTES * 3 / 2);
        let mut previous = "";
        for of_word in rest.chunk_by(|a, b| a.0 == b.0) {
            let word = of_word.first().map_or(previous, |(word, _)| word);
            write_entry(&mut lists, previous, word, of_word);
            next += of_word.len();
            if lists.len() >= BLOCK_BYTES {
                break;
            }
            previous = word;
        }
        Some(Block {
            first_word: first_word.as_bytes().to_vec(),
            lists,
        })
    })
}

fn write_entry(out: &mut Vec<u8>, previous: &str, word: &str, positions: &[(&str, u32)]) {
    let pairs = previous.bytes().zip(word.bytes());
    let shared = pairs.take_while(|(a, b)| a == b).count();
    let rest = word.as_bytes().get(shared..).unwrap_or_default();
    write_number(out, shared);
    write_number(out, rest.len());
    out.extend_from_slice(rest);
    let count = positions.len();
    let positions = positions.iter().map(|(_, position)| *position as usize);
    let bytes = positions.clone().next_back().map_or(0, |last| last / 8 + 1);
    // Each difference takes at least a byte, so that the bit set is smaller.
    if count > bytes {
        write_number(out, 2 * count + 1);
        write_number(out, bytes);
        let begin = out.len();
        out.resize(begin + bytes, 0);
        for position in positions {
            if let Some(byte) = out.get_mut(begin + position / 8) {
                *byte |= 1 << (position % 8);
            }
        }
        return;
    }
    write_number(out, 2 * count);
    let mut last = 0;
    for position in positions {
        write_number(out, position - last);
        last = position;
    }
}

fn write_number(out: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        out.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    out.push(number.to_le_bytes()[0]);
}

/// Adds to `positions` the positions in the block `lists` for all words that begin with `start`.
pub(super) fn add_matches(
    lists: &[u8],
    start: &[u8],
    positions: &mut FixedBitSet,
) -> Result<(), BrokenBlock> {
    let mut input = Input(lists);
    let mut word: Vec<u8> = Vec::new();
    while !input.0.is_empty() {
        word.truncate(input.number()?);
        let rest = input.number()?;
        word.extend_from_slice(input.bytes(rest)?);
        let count = input.number()?;
        if word.as_slice() > start && !word.starts_with(start) {
            // The words are sorted: no later word begins with `start`.
            return Ok(());
        }
        let matches = word.starts_with(start);
        if count % 2 == 1 {
            let bytes = input.number()?;
            let bits = input.bytes(bytes)?;
            if matches {
                add_bits(bits, positions)?;
            }
            continue;
        }
        let mut position = 0;
        for _ in 0..count / 2 {
            position += input.number()?;
            if matches {
                add(position, positions)?;
            }
        }
    }
    Ok(())
}

/// Works a machine word at a time.
fn add_bits(bits: &[u8], positions: &mut FixedBitSet) -> Result<(), BrokenBlock> {
    let mut from_last = (0..bits.len()).rev().zip(bits.iter().rev());
    let last = from_last.find(|(_, byte)| **byte != 0);
    if last.is_some_and(|(at, byte)| at * 8 + byte.ilog2() as usize >= positions.len()) {
        return Err(BrokenBlock);
    }
    let parts = bits.chunks(size_of::<usize>());
    for (number, part) in positions.as_mut_slice().iter_mut().zip(parts) {
        let mut bytes = [0; size_of::<usize>()];
        for (byte, bits) in bytes.iter_mut().zip(part) {
            *byte = *bits;
        }
        *number |= usize::from_le_bytes(bytes);
    }
    Ok(())
}

fn add(position: usize, positions: &mut FixedBitSet) -> Result<(), BrokenBlock> {
    if position >= positions.len() {
        return Err(BrokenBlock);
    }
    positions.insert(position);
    Ok(())
}

/// The unread rest of a block.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn number(&mut self) -> Result<usize, BrokenBlock> {
        let mut number = 0;
        for shift in (0..usize::BITS).step_by(7) {
            let (byte, rest) = self.0.split_first().ok_or(BrokenBlock)?;
            self.0 = rest;
            number |= usize::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(BrokenBlock)
    }

    fn bytes(&mut self, count: usize) -> Result<&'a [u8], BrokenBlock> {
        let (bytes, rest) = self.0.split_at_checked(count).ok_or(BrokenBlock)?;
        self.0 = rest;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::end_of;

    /// Reads the positions of all words that begin with `start` from all blocks.
    fn found(blocks: &[Block], start: &str, orders: usize) -> Vec<usize> {
        let mut positions = FixedBitSet::with_capacity(orders);
        for block in blocks {
            add_matches(&block.lists, start.as_bytes(), &mut positions).unwrap();
        }
        positions.ones().collect()
    }

    /// Words of three octal digits, each in about as many orders as its number.
    fn words() -> Vec<(String, u32)> {
        let word = |n: u32| format!("{:03o}é", n % 512);
        let rare = (0..20_000).map(|n| (word(n * n), n / 20));
        // A common word, in every second order.
        let common = (0..500).map(|n| ("100é".to_owned(), 2 * n));
        rare.chain(common).collect()
    }

    #[test]
    fn each_beginning_finds_the_orders_of_all_its_words() {
        let words = words();
        let given = words.iter().map(|(word, at)| (word.as_str(), *at));
        let blocks: Vec<Block> = blocks(given.collect()).collect();
        assert!(blocks.len() > 5, "{}", blocks.len());
        for start in [
            "0", "1", "10", "100", "100é", "111é", "7", "100éx", "8", "é",
        ] {
            let mut expected: Vec<usize> = words
                .iter()
                .filter(|(word, _)| word.starts_with(start))
                .map(|(_, at)| *at as usize)
                .collect();
            expected.sort_unstable();
            expected.dedup();
            assert_eq!(found(&blocks, start, 1000), expected, "{start}");
        }
    }

    #[test]
    fn the_matches_of_a_word_are_in_the_block_before_it_and_in_those_up_to_its_end() {
        let words = words();
        let given = words.iter().map(|(word, at)| (word.as_str(), *at));
        let blocks: Vec<Block> = blocks(given.collect()).collect();
        for start in ["0", "100", "100é", "377", "777é"] {
            let end = end_of(start.as_bytes());
            let first = blocks
                .iter()
                .rposition(|block| block.first_word.as_slice() <= start.as_bytes())
                .unwrap_or(0);
            let read: Vec<Block> = blocks
                .iter()
                .skip(first)
                .take_while(|block| block.first_word < end)
                .cloned()
                .collect();
            assert_eq!(found(&read, start, 1000), found(&blocks, start, 1000));
        }
    }

    #[test]
    fn broken_blocks_are_errors() {
        let words = vec![("ann", 3), ("ann", 700), ("bob", 1)];
        let block = blocks(words).next().unwrap();
        let mut positions = FixedBitSet::with_capacity(700);
        let read = add_matches(&block.lists, b"ann", &mut positions);
        assert_eq!(read, Err(BrokenBlock));
        let mut positions = FixedBitSet::with_capacity(701);
        for length in 1..5 {
            let part = &block.lists[..length];
            assert_eq!(
                add_matches(part, b"ann", &mut positions),
                Err(BrokenBlock),
                "{length}"
            );
        }
    }
}
