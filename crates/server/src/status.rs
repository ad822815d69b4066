//! Facts about the program and its database, for the console.

use std::sync::Arc;
use std::time::Instant;

use pressline_cli::logging;
use pressline_console::{SystemFact, SystemFacts, SystemStatus};
use pressline_domain::error::RepositoryError;
use pressline_domain::runtime::Clock;

use crate::database::Database;
use crate::version;

/// Maximum difference between the clocks of the server and the database, in milliseconds. A larger
/// difference is shown as a problem.
const CLOCKS_DIFFER: u64 = 2000;

pub(crate) struct ServerStatus {
    pub(crate) database: Arc<dyn Database>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) started: Instant,
}

impl SystemStatus for ServerStatus {
    fn facts(&self) -> SystemFacts<'_> {
        Box::pin(async {
            let mut facts = vec![
                SystemFact::new("Version", version::TEXT.as_str()),
                SystemFact::new("Running for", duration(self.started.elapsed().as_secs())),
            ];
            facts.extend(self.database().await);
            facts.push(migrations(self.database.pending().await));
            facts.push(disk(self.database.ping().await));
            let queue = self.database.writes();
            facts.push(writes(queue.waiting, queue.refused));
            let dropped = logging::dropped();
            let log = SystemFact::new("Dropped log lines", dropped.to_string());
            facts.push(log.problem_if(dropped > 0));
            facts
        })
    }
}

impl ServerStatus {
    async fn database(&self) -> Vec<SystemFact> {
        let state = match self.database.cold().facts().await {
            Ok(state) => state,
            Err(error) => return vec![unreadable("Database", &error)],
        };
        let shown = format!("{} {}", self.database.engine(), state.version);
        let mut facts = vec![
            SystemFact::new("Database", shown),
            SystemFact::new("Size of the database", size(state.bytes)),
        ];
        if let Some(there) = state.now {
            let here = self.clock.now();
            let millis = here.millis_since(there).unsigned_abs();
            let fact =
                SystemFact::new("Clock, beside that of the database", format!("{millis} ms"));
            facts.push(fact.problem_if(millis > CLOCKS_DIFFER));
        }
        facts
    }
}

/// Returns the fact `name` with the kind of `error`. The source of `error` is not shown, because it
/// may contain secrets.
fn unreadable(name: &'static str, error: &RepositoryError) -> SystemFact {
    SystemFact::new(name, error.to_string()).problem_if(true)
}

fn migrations(pending: Result<Vec<String>, RepositoryError>) -> SystemFact {
    const NAME: &str = "Migrations";
    match pending {
        Ok(pending) if pending.is_empty() => SystemFact::new(NAME, "all applied"),
        Ok(pending) => {
            let missing = format!("missing: {}", pending.join(", "));
            SystemFact::new(NAME, missing).problem_if(true)
        }
        Err(error) => unreadable(NAME, &error),
    }
}

fn disk(written: Result<(), RepositoryError>) -> SystemFact {
    const NAME: &str = "Disk of the database";
    match written {
        Ok(()) => SystemFact::new(NAME, "can be written to"),
        Err(error) => unreadable(NAME, &error),
    }
}

fn writes(waiting: usize, refused: u64) -> SystemFact {
    let text = format!("{waiting} waiting; {refused} found it full since the start");
    SystemFact::new("Queue of writes", text).problem_if(refused > 0)
}

/// Formats `bytes` in the largest unit that fits, such as `1.5 KiB`.
fn size(bytes: u64) -> String {
    let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    let fitting = units.into_iter().find(|(_, unit)| bytes >= *unit);
    match fitting {
        Some((name, unit)) => {
            let tenths = u128::from(bytes) * 10 / u128::from(unit);
            format!("{}.{} {name}", tenths / 10, tenths % 10)
        }
        None => format!("{bytes} bytes"),
    }
}

/// Formats `seconds` in the two largest units, such as `1 h 2 min`.
fn duration(seconds: u64) -> String {
    let (days, hours) = (seconds / 86_400, seconds / 3600 % 24);
    let (minutes, rest) = (seconds / 60 % 60, seconds % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{rest} s"),
        (0, 0, minutes) => format!("{minutes} min {rest} s"),
        (0, hours, minutes) => format!("{hours} h {minutes} min"),
        (days, hours, _) => format!("{days} d {hours} h"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_durations_have_units_that_fit() {
        assert_eq!(size(1023), "1023 bytes");
        assert_eq!(size(1536), "1.5 KiB");
        assert_eq!(size(3 << 30), "3.0 GiB");
        assert_eq!(duration(59), "59 s");
        assert_eq!(duration(3_720), "1 h 2 min");
        assert_eq!(duration(90_000), "1 d 1 h");
    }

    #[test]
    fn what_needs_a_person_is_a_problem() {
        assert!(!migrations(Ok(Vec::new())).is_problem);
        assert!(migrations(Ok(vec!["0002".to_owned()])).is_problem);
        let failed = disk(Err(RepositoryError::Unavailable("secret-host".into())));
        assert!(failed.is_problem && !failed.value.contains("secret-host"));
        assert!(writes(1, 2).is_problem);
    }
}
