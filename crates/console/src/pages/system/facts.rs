//! Facts about the program and its database, as the page of the system shows them.

use std::time::Duration;

use pressline_domain::error::{RepositoryError, Result};

use crate::shell::status::{DatabaseState, SystemState};

/// Maximum difference between the clocks of program and database, in milliseconds.
const CLOCKS_DIFFER: u64 = 2000;

pub(super) struct Fact {
    pub(super) name: &'static str,
    pub(super) value: String,
    pub(super) is_problem: bool,
}

impl Fact {
    fn new(name: &'static str, value: impl Into<String>) -> Self {
        Self {
            name,
            value: value.into(),
            is_problem: false,
        }
    }

    fn problem_if(self, is_problem: bool) -> Self {
        Self { is_problem, ..self }
    }
}

/// Marks a fact that could not be read as a problem. Its value is the reason, without secrets.
pub(super) fn facts(state: &SystemState) -> Vec<Fact> {
    let mut facts = vec![
        Fact::new("Version", state.version),
        Fact::new("Running for", duration(state.uptime)),
    ];
    match &state.database {
        Ok(database) => facts.extend(of_database(database)),
        Err(error) => facts.push(unreadable("Database", error)),
    }
    facts.push(migrations(&state.pending_migrations));
    facts.push(disk(&state.disk));
    facts.push(writes(state.waiting_writes, state.refused_writes));
    let dropped = state.dropped_log_lines;
    let log = Fact::new("Dropped log lines", dropped.to_string());
    facts.push(log.problem_if(dropped > 0));
    let warnings = state.warnings.iter();
    facts.extend(warnings.map(|text| Fact::new("Warning", text.as_str()).problem_if(true)));
    facts
}

fn of_database(database: &DatabaseState) -> Vec<Fact> {
    let mut facts = vec![
        Fact::new("Database", database.software.as_str()),
        Fact::new("Size of the database", size(database.bytes)),
    ];
    if let Some(millis) = database.clock_difference {
        let fact = Fact::new("Clock, beside that of the database", format!("{millis} ms"));
        facts.push(fact.problem_if(millis > CLOCKS_DIFFER));
    }
    facts
}

/// Shows only the message of `error`, because the source of `error` may contain secrets.
fn unreadable(name: &'static str, error: &RepositoryError) -> Fact {
    Fact::new(name, error.to_string()).problem_if(true)
}

fn migrations(pending: &Result<Vec<String>>) -> Fact {
    const NAME: &str = "Migrations";
    match pending {
        Ok(pending) if pending.is_empty() => Fact::new(NAME, "all applied"),
        Ok(pending) => {
            let missing = format!("missing: {}", pending.join(", "));
            Fact::new(NAME, missing).problem_if(true)
        }
        Err(error) => unreadable(NAME, error),
    }
}

fn disk(written: &Result<()>) -> Fact {
    const NAME: &str = "Disk of the database";
    match written {
        Ok(()) => Fact::new(NAME, "can be written to"),
        Err(error) => unreadable(NAME, error),
    }
}

fn writes(waiting: usize, refused: u64) -> Fact {
    let text = format!("{waiting} waiting; {refused} found it full since the start");
    Fact::new("Queue of writes", text).problem_if(refused > 0)
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

/// Formats `time` in the two largest units, such as `1 h 2 min`.
fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
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
        let duration = |seconds| duration(Duration::from_secs(seconds));
        assert_eq!(duration(59), "59 s");
        assert_eq!(duration(3_720), "1 h 2 min");
        assert_eq!(duration(90_000), "1 d 1 h");
    }

    #[test]
    fn what_needs_a_person_is_a_problem() {
        assert!(!migrations(&Ok(Vec::new())).is_problem);
        assert!(migrations(&Ok(vec!["0002".to_owned()])).is_problem);
        let failed = disk(&Err(RepositoryError::Unavailable("secret-host".into())));
        assert!(failed.is_problem && !failed.value.contains("secret-host"));
        assert!(writes(1, 2).is_problem);
    }
}
