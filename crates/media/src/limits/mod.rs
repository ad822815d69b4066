//! Limits that the child process sets for itself before it reads a byte.

#[cfg(target_os = "linux")]
mod linux;

use rustix::process::{Resource, Rlimit, setrlimit};

use crate::bounds::Bounds;

const MIB: u64 = 1024 * 1024;
/// Memory of the program itself: its data, stacks and the pages that the allocator keeps.
const OWN_MEMORY: u64 = 64 * MIB;

/// Sets all limits that the operating system has. Returns the names of the missing limits.
///
/// The number of processes is not limited: it counts all processes of the user, and the decoder of
/// JPEG uses threads. The address space is not limited: allocators reserve more than they use.
pub(crate) fn set(bounds: &Bounds) -> Vec<String> {
    let mut missing = Vec::new();
    let mut note = |name: &str, is_set: bool| {
        if !is_set {
            missing.push(name.to_owned());
        }
    };
    let seconds = u64::from(bounds.seconds);
    // The soft limit ends the process by SIGXCPU, which names the reason; the hard one by SIGKILL.
    note("processor time", limit(Resource::Cpu, seconds, seconds + 2));
    note(
        "memory",
        limit_memory(u64::from(bounds.memory_mb) * MIB + OWN_MEMORY),
    );
    note("file size", limit(Resource::Fsize, 32 * MIB, 32 * MIB));
    note("open files", limit(Resource::Nofile, 8, 8));
    note("core dumps", limit(Resource::Core, 0, 0));
    #[cfg(target_os = "linux")]
    {
        note("landlock", linux::forbid_paths());
        // Last, because it forbids what the others need.
        note("seccomp", linux::filter_system_calls());
    }
    #[cfg(not(target_os = "linux"))]
    {
        note("landlock", false);
        note("seccomp", false);
    }
    missing
}

/// The limit of data counts private memory, on Linux also what is mapped. Others may count less.
fn limit_memory(bytes: u64) -> bool {
    limit(Resource::Data, bytes, bytes) && cfg!(target_os = "linux")
}

fn limit(resource: Resource, soft: u64, hard: u64) -> bool {
    let limit = Rlimit {
        current: Some(soft),
        maximum: Some(hard),
    };
    setrlimit(resource, limit).is_ok()
}
