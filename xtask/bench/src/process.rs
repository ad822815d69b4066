//! What processes took, from `/proc`.

use std::collections::HashMap;
use std::fs;

use crate::Failure;

/// What a process took so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stat {
    parent: u32,
    /// Clock ticks of the process and of those of its children that have ended and been waited for.
    ticks: u64,
}

/// Memory of a process, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Memory {
    /// Resident now.
    pub(crate) now: u64,
    /// Resident at most, ever.
    pub(crate) peak: u64,
}

/// CPU seconds of this process without its children.
pub(crate) fn own_cpu() -> Result<f64, Failure> {
    let text = fs::read_to_string("/proc/self/stat")?;
    Ok(seconds(
        fields(&text)
            .and_then(|fields| sum(&fields, 11..13))
            .ok_or("/proc/self/stat is not as expected")?,
    ))
}

/// CPU seconds of those children of this process that have ended and been waited for.
pub(crate) fn ended_children_cpu() -> Result<f64, Failure> {
    let text = fs::read_to_string("/proc/self/stat")?;
    Ok(seconds(
        fields(&text)
            .and_then(|fields| sum(&fields, 13..15))
            .ok_or("/proc/self/stat is not as expected")?,
    ))
}

/// CPU seconds of a process and all its descendants, those that have ended included. Never falls
/// while the root lives.
pub(crate) fn tree_cpu(root: u32) -> Result<f64, Failure> {
    let mut stats = HashMap::new();
    for entry in fs::read_dir("/proc")?.flatten() {
        let Some(pid) = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse::<u32>().ok())
        else {
            continue;
        };
        // It may have ended since; then its parent has its time.
        let Ok(text) = fs::read_to_string(entry.path().join("stat")) else {
            continue;
        };
        if let Some(stat) = parse(&text) {
            stats.insert(pid, stat);
        }
    }
    if !stats.contains_key(&root) {
        return Err(format!("process {root} has ended").into());
    }
    Ok(seconds(ticks_below(root, &stats)))
}

/// The parent of a process.
pub(crate) fn parent(pid: u32) -> Result<u32, Failure> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    Ok(parse(&text).ok_or("a stat file is not as expected")?.parent)
}

/// Memory of a process without its children.
pub(crate) fn memory(pid: u32) -> Result<Memory, Failure> {
    let text = fs::read_to_string(format!("/proc/{pid}/status"))?;
    Ok(parse_memory(&text).ok_or("a status file names no memory")?)
}

fn ticks_below(root: u32, stats: &HashMap<u32, Stat>) -> u64 {
    let own = stats.get(&root).map_or(0, |stat| stat.ticks);
    let children = stats
        .iter()
        .filter(|(pid, stat)| stat.parent == root && **pid != root);
    own + children
        .map(|(pid, _)| ticks_below(*pid, stats))
        .sum::<u64>()
}

/// The fields after the program's name, which may hold spaces and parentheses.
fn fields(text: &str) -> Option<Vec<&str>> {
    let (_, rest) = text.rsplit_once(')')?;
    Some(rest.split_ascii_whitespace().collect())
}

fn parse(text: &str) -> Option<Stat> {
    let fields = fields(text)?;
    Some(Stat {
        parent: fields.get(1)?.parse().ok()?,
        ticks: sum(&fields, 11..15)?,
    })
}

fn sum(fields: &[&str], range: std::ops::Range<usize>) -> Option<u64> {
    fields
        .get(range)?
        .iter()
        .map(|field| field.parse::<u64>().ok())
        .sum()
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a sum of ticks is far below 2^52"
)]
fn seconds(ticks: u64) -> f64 {
    ticks as f64 / rustix::param::clock_ticks_per_second() as f64
}

fn parse_memory(status: &str) -> Option<Memory> {
    let bytes = |name: &str| {
        let rest = status.lines().find_map(|line| line.strip_prefix(name))?;
        Some(
            rest.trim()
                .strip_suffix(" kB")?
                .trim()
                .parse::<u64>()
                .ok()?
                * 1024,
        )
    };
    Some(Memory {
        now: bytes("VmRSS:")?,
        peak: bytes("VmHWM:")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAT: &str = "4242 (post) gres (x) S 17 4242 4242 0 -1 4194560 900 100 0 0 31 12 400 57 20 0 1 0 100 0 0";

    #[test]
    fn reads_a_stat_whose_name_has_parentheses() {
        assert_eq!(
            parse(STAT),
            Some(Stat {
                parent: 17,
                ticks: 31 + 12 + 400 + 57
            })
        );
        assert_eq!(parse("4242 (x) S 17"), None);
        assert_eq!(parse(""), None);
    }

    #[test]
    fn a_tree_is_its_root_and_all_below() {
        let stat = |parent, ticks| Stat { parent, ticks };
        let stats = HashMap::from([
            (1, stat(0, 1)),
            (5, stat(1, 10)),
            (6, stat(5, 100)),
            (9, stat(1, 1000)),
        ]);
        assert_eq!(ticks_below(5, &stats), 110);
        assert_eq!(ticks_below(1, &stats), 1111);
    }

    #[test]
    fn reads_memory() {
        let text = "Name:\tx\nVmPeak:\t  999 kB\nVmHWM:\t   20480 kB\nVmRSS:\t   10240 kB\n";
        assert_eq!(
            parse_memory(text),
            Some(Memory {
                now: 10 << 20,
                peak: 20 << 20
            })
        );
        assert_eq!(parse_memory("Name:\tx\n"), None);
    }

    #[test]
    fn this_process_is_there() {
        let pid = std::process::id();
        assert!(tree_cpu(pid).unwrap() >= 0.0);
        assert!(memory(pid).unwrap().peak > 100_000);
        assert_eq!(parent(pid).unwrap(), std::os::unix::process::parent_id());
    }
}
