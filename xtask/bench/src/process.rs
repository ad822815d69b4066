//! CPU time and memory of processes.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::process::{Command, Stdio};

use procfs::process::{Process, Stat, all_processes};

use crate::BenchError;

/// Memory of a process, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Memory {
    /// Resident now.
    pub(crate) now: u64,
    /// The most that was ever resident.
    pub(crate) peak: u64,
}

/// CPU seconds of this process without its children.
pub(crate) fn own_cpu() -> Result<f64, BenchError> {
    Ok(seconds(own_ticks(&Process::myself()?.stat()?)))
}

/// CPU seconds of those children of this process that have ended and been waited for.
pub(crate) fn ended_children_cpu() -> Result<f64, BenchError> {
    Ok(seconds(ended_children_ticks(&Process::myself()?.stat()?)))
}

/// CPU seconds of a process and all its descendants, those that have ended included. Never falls
/// while the root lives.
///
/// # Errors
/// The root has ended.
pub(crate) fn tree_cpu(root: u32) -> Result<f64, BenchError> {
    let root = i32::try_from(root)?;
    // A process that has ended since it was listed is left out: its parent has its time.
    let stats: HashMap<i32, Stat> = all_processes()?
        .filter_map(|process| process.ok()?.stat().ok())
        .map(|stat| (stat.pid, stat))
        .collect();
    if !stats.contains_key(&root) {
        return Err(format!("process {root} has ended").into());
    }
    Ok(seconds(ticks_below(root, &stats)))
}

/// Memory of a process without its children.
pub(crate) fn memory(pid: u32) -> Result<Memory, BenchError> {
    let status = process(pid)?.status()?;
    let bytes = |kilobytes: Option<u64>| kilobytes.map(|kilobytes| kilobytes * 1024);
    let (Some(now), Some(peak)) = (bytes(status.vmrss), bytes(status.vmhwm)) else {
        return Err("a status file names no memory".into());
    };
    Ok(Memory { now, peak })
}

/// Bytes in megabytes.
#[expect(
    clippy::cast_precision_loss,
    reason = "a process has far less than 2^52 bytes"
)]
pub(crate) fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1_000_000.0
}

/// Whether a program is installed: whether it starts.
pub(crate) fn runs(program: impl AsRef<OsStr>) -> bool {
    let status = Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

fn process(pid: u32) -> Result<Process, BenchError> {
    Ok(Process::new(i32::try_from(pid)?)?)
}

fn own_ticks(stat: &Stat) -> u64 {
    stat.utime + stat.stime
}

fn ended_children_ticks(stat: &Stat) -> u64 {
    (stat.cutime + stat.cstime).unsigned_abs()
}

fn ticks_below(root: i32, stats: &HashMap<i32, Stat>) -> u64 {
    let own = stats
        .get(&root)
        .map_or(0, |stat| own_ticks(stat) + ended_children_ticks(stat));
    let children = stats
        .values()
        .filter(|stat| stat.ppid == root && stat.pid != root);
    own + children
        .map(|stat| ticks_below(stat.pid, stats))
        .sum::<u64>()
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a sum of ticks is far below 2^52"
)]
fn seconds(ticks: u64) -> f64 {
    ticks as f64 / procfs::ticks_per_second() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_its_root_and_all_below() {
        let stat = |pid, ppid, utime| {
            let mut stat = Process::myself().unwrap().stat().unwrap();
            (stat.pid, stat.ppid, stat.utime) = (pid, ppid, utime);
            (stat.stime, stat.cutime, stat.cstime) = (0, 0, 0);
            stat
        };
        let stats = [
            stat(1, 0, 1),
            stat(5, 1, 10),
            stat(6, 5, 100),
            stat(9, 1, 1000),
        ];
        let stats = HashMap::from(stats.map(|stat| (stat.pid, stat)));
        assert_eq!(ticks_below(5, &stats), 110);
        assert_eq!(ticks_below(1, &stats), 1111);
    }

    #[test]
    fn this_process_is_measured() {
        let pid = std::process::id();
        // First, because other tests of this process use time meanwhile.
        let own = own_cpu().unwrap();
        assert!(tree_cpu(pid).unwrap() >= own);
        let Memory { now, peak } = memory(pid).unwrap();
        assert!(100_000 < now && now <= peak);
    }
}
