//! Landlock and seccomp, as far as the kernel has them.

use std::error::Error;

use landlock::{
    ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetError, RulesetStatus, Scope,
};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter,
};

/// Forbids to open any path, to connect, and to signal other processes. Open files stay open.
/// Returns false if the kernel cannot forbid paths.
pub(super) fn forbid_paths() -> bool {
    let forbidden = || -> Result<RulesetStatus, RulesetError> {
        // The kernel applies as much of the newest rules as it knows.
        let rules = Ruleset::default()
            .handle_access(AccessFs::from_all(ABI::V7))?
            .handle_access(AccessNet::from_all(ABI::V7))?
            .scope(Scope::from_all(ABI::V7))?;
        Ok(rules.create()?.restrict_self()?.ruleset)
    };
    matches!(
        forbidden(),
        Ok(RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced)
    )
}

/// Refuses all system calls that decoding does not need. Returns false if the kernel has no
/// filters, or this processor no list.
///
/// A refused call gets EPERM and does not end the process: the allocator makes optional calls only
/// in some runs, and ordinary files would fail at random.
pub(super) fn filter_system_calls() -> bool {
    filter().is_ok()
}

fn filter() -> Result<(), Box<dyn Error>> {
    let processor: TargetArch = std::env::consts::ARCH.try_into()?;
    // ENOSYS makes the C library start threads by `clone`, whose flags a filter can see.
    let refuse_clone3 = SeccompFilter::new(
        [(libc::SYS_clone3, Vec::new())].into(),
        SeccompAction::Allow,
        errno(libc::ENOSYS)?,
        processor,
    )?;
    let mut rules: std::collections::BTreeMap<i64, Vec<SeccompRule>> =
        PERMITTED.iter().map(|call| (*call, Vec::new())).collect();
    rules.insert(libc::SYS_clone, vec![threads_only()?]);
    let prctl = [libc::PR_SET_VMA, libc::PR_SET_NAME].map(option);
    rules.insert(
        libc::SYS_prctl,
        prctl.into_iter().collect::<Result<_, _>>()?,
    );
    let permit = SeccompFilter::new(rules, errno(libc::EPERM)?, SeccompAction::Allow, processor)?;
    for filter in [refuse_clone3, permit] {
        let program: BpfProgram = filter.try_into()?;
        apply_filter(&program)?;
    }
    Ok(())
}

/// System calls for memory, threads, time, and open descriptors.
const PERMITTED: [i64; 34] = [
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_pread64,
    libc::SYS_close,
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_lseek,
    libc::SYS_fcntl,
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_mprotect,
    libc::SYS_madvise,
    libc::SYS_brk,
    libc::SYS_futex,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_gettid,
    libc::SYS_getpid,
    // Without it, `abort` ends by another signal than SIGABRT, and memory is not named as the reason.
    libc::SYS_tgkill,
    libc::SYS_clock_gettime,
    libc::SYS_getrandom,
    libc::SYS_set_robust_list,
    libc::SYS_rseq,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_restart_syscall,
    // The first filter answers it; unlisted, it would get EPERM, which the C library does not expect.
    libc::SYS_clone3,
];

fn threads_only() -> Result<SeccompRule, Box<dyn Error>> {
    let flag = u64::try_from(libc::CLONE_THREAD)?;
    let condition = SeccompCondition::new(
        0,
        SeccompCmpArgLen::Qword,
        SeccompCmpOp::MaskedEq(flag),
        flag,
    )?;
    Ok(SeccompRule::new(vec![condition])?)
}

fn option(option: libc::c_int) -> Result<SeccompRule, Box<dyn Error>> {
    let option = u64::try_from(option)?;
    let condition = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, option)?;
    Ok(SeccompRule::new(vec![condition])?)
}

fn errno(number: libc::c_int) -> Result<SeccompAction, Box<dyn Error>> {
    Ok(SeccompAction::Errno(u32::try_from(number)?))
}
