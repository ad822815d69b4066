//! Process settings: no core dumps, and the signals that end the process.

use actix_web::dev::ServerHandle;
use pressline_cli::CommandError;
use pressline_host::systemd;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Keeps the secret keys in the memory of this process out of core dumps, and hides them from
/// debuggers of the same user. Linux only; a failure is ignored.
pub(crate) fn forbid_core_dumps() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    }
}

/// Replaces the HTTP servers' own handling of signals: the first server to end would stop the
/// process, although the other server still finishes its requests.
pub(crate) struct Signals {
    endings: Vec<Ending>,
}

struct Ending {
    name: &'static str,
    signal: Signal,
    /// True if the server finishes requests in progress before it ends.
    graceful: bool,
}

impl Signals {
    /// Also makes the process ignore SIGUSR1 and SIGUSR2, which would end it by default.
    pub(crate) fn handle() -> Result<Self, CommandError> {
        let register =
            |kind| signal(kind).map_err(|error| CommandError::other("the signals", error));
        // The handlers stay. The signals are ignored because nothing reads them.
        drop((
            register(SignalKind::user_defined1())?,
            register(SignalKind::user_defined2())?,
        ));
        let mut endings = Vec::new();
        for (name, kind, graceful) in [
            ("SIGTERM", SignalKind::terminate(), true),
            ("SIGHUP", SignalKind::hangup(), true),
            ("SIGINT", SignalKind::interrupt(), false),
            ("SIGQUIT", SignalKind::quit(), false),
        ] {
            // `nohup` starts the process with SIGHUP ignored, which must stay ignored.
            if kind != SignalKind::hangup() || !ignores_hangup() {
                let signal = register(kind)?;
                endings.push(Ending {
                    name,
                    signal,
                    graceful,
                });
            }
        }
        Ok(Self { endings })
    }

    /// Starts tasks that stop `servers` on a signal: SIGTERM and SIGHUP let requests in progress
    /// finish, SIGINT and SIGQUIT do not.
    pub(crate) fn stop(self, servers: &[ServerHandle]) {
        for mut ending in self.endings {
            let servers = servers.to_vec();
            actix_web::rt::spawn(async move {
                while ending.signal.recv().await.is_some() {
                    tracing::info!("{} received", ending.name);
                    stop(&servers, ending.graceful);
                }
            });
        }
    }
}

/// Tells `servers` to stop, and does not wait for their end.
fn stop(servers: &[ServerHandle], graceful: bool) {
    systemd::notify("STOPPING=1");
    for server in servers {
        drop(server.stop(graceful));
    }
}

/// Returns whether this process was started with SIGHUP ignored; false on systems without `/proc`.
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    is_ignored(&status, 1)
}

/// Reads the line `SigIgn` of `/proc/self/status`, a hexadecimal bitmask, see proc(5).
fn is_ignored(status: &str, signal: u32) -> bool {
    let digits = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = digits.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::is_ignored;

    #[test]
    fn the_bitmask_of_ignored_signals_is_read() {
        let status = "Name:\tpressline\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\n";
        assert!(is_ignored(status, 1) && is_ignored(status, 13));
        assert!(!is_ignored(status, 15) && !is_ignored("", 1));
    }
}
