//! CPU time and memory of processes.

use procfs::process::{Process, Stat, all_processes};

use crate::error::BenchError;

/// Resident memory of a process, in megabytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Memory {
    pub(crate) now: f64,
    pub(crate) peak: f64,
}

/// CPU seconds of this process without its children.
pub(crate) fn own_cpu() -> Result<f64, BenchError> {
    Ok(seconds(ticks(&Process::myself()?.stat()?).0))
}

/// CPU seconds of ended children of this process that have been waited for.
pub(crate) fn ended_children_cpu() -> Result<f64, BenchError> {
    Ok(seconds(ticks(&Process::myself()?.stat()?).1))
}

/// CPU seconds of the process `root` and all its descendants, including ended descendants. Never
/// decreases while `root` lives.
pub(crate) fn tree_cpu(root: u32) -> Result<f64, BenchError> {
    let root = i32::try_from(root)?;
    // A process that ended since it was listed is skipped: its time counts for its parent.
    let stats: Vec<Stat> = all_processes()?
        .filter_map(|process| process.ok()?.stat().ok())
        .collect();
    if stats.iter().all(|stat| stat.pid != root) {
        return Err(format!("process {root} has ended").into());
    }
    Ok(seconds(ticks_of_tree(root, &stats)))
}

pub(crate) fn resident(pid: u32) -> Result<Memory, BenchError> {
    let status = Process::new(i32::try_from(pid)?)?.status()?;
    let megabytes = |kilobytes: Option<u64>| kilobytes.map(|kilobytes| kilobytes as f64 * 0.001024);
    let (Some(now), Some(peak)) = (megabytes(status.vmrss), megabytes(status.vmhwm)) else {
        return Err("a status file names no memory".into());
    };
    Ok(Memory { now, peak })
}

/// CPU time without children, and of children that have been waited for.
fn ticks(stat: &Stat) -> (u64, u64) {
    let ended = stat.cutime + stat.cstime;
    (stat.utime + stat.stime, ended.unsigned_abs())
}

fn ticks_of_tree(root: i32, stats: &[Stat]) -> u64 {
    let of_process = |stat: &Stat| {
        if stat.pid == root {
            let (own, ended) = ticks(stat);
            return own + ended;
        }
        if stat.ppid == root {
            return ticks_of_tree(stat.pid, stats);
        }
        0
    };
    stats.iter().map(of_process).sum()
}

fn seconds(ticks: u64) -> f64 {
    ticks as f64 / procfs::ticks_per_second() as f64
}
