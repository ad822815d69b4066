//! The reference for PostgreSQL: one prepared statement an operation, by
//! pgbench, or where that is missing by a loop over the same client library.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use std::{env, fs};

use diesel::{PgConnection, RunQueryDsl};

use crate::BenchError;
use crate::database::{Cluster, Prepared};
use crate::figures::Round;
use crate::meter::Meter;
use crate::process;
use fastrand::Rng;

/// How a variable is drawn again each time; both ends are included.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Draw {
    Uniform(u64, u64),
    /// By Zipf's law with this exponent: the low end is drawn most.
    Zipf(u64, u64, f64),
}

/// An operation. Its variables are `:name` in the statement; each is passed as an argument.
#[derive(Debug, Clone, Default)]
pub(crate) struct Script {
    pub(crate) sql: String,
    /// Variables that stay.
    pub(crate) constants: BTreeMap<String, String>,
    pub(crate) drawn: BTreeMap<&'static str, Draw>,
}

/// Runs scripts against a database.
pub(crate) struct Pgbench {
    /// Nothing where the machine has none.
    program: Option<PathBuf>,
    folder: PathBuf,
}

impl Pgbench {
    /// Looks for the program in the server's folder; scripts go to `folder`.
    pub(crate) fn find(folder: &Path) -> Self {
        let path = env::var_os("PATH").unwrap_or_default();
        let chosen = env::var_os("PRESSLINE_TEST_PG_BIN").map(PathBuf::from);
        let mut installed: Vec<PathBuf> = fs::read_dir("/usr/lib/postgresql")
            .into_iter()
            .flatten()
            .flatten()
            .map(|e| e.path().join("bin"))
            .collect();
        installed.sort();
        let program = chosen
            .into_iter()
            .chain(installed.into_iter().rev())
            .chain(env::split_paths(&path))
            .map(|folder| folder.join("pgbench"))
            .find(|program| process::runs(program));
        Self {
            program,
            folder: folder.to_owned(),
        }
    }

    /// What runs the scripts, for people.
    pub(crate) fn name(&self) -> &'static str {
        if self.program.is_some() {
            "pgbench"
        } else {
            "a loop over libpq (no pgbench here)"
        }
    }

    /// Runs a script by so many clients for so long.
    pub(crate) fn run(
        &self,
        script: &Script,
        (cluster, database): (&Cluster, &str),
        clients: usize,
        duration: Duration,
    ) -> Result<Round, BenchError> {
        let before = Meter::read(cluster, None)?;
        let (done, seconds, client_cpu) = match &self.program {
            Some(program) => {
                let cpu = process::ended_children_cpu()?;
                let (done, seconds) =
                    self.by_program(program, script, &cluster.url(database), clients, duration)?;
                (done, seconds, process::ended_children_cpu()? - cpu)
            }
            None => {
                let cpu = process::own_cpu()?;
                let (done, seconds) = by_loop(script, (cluster, database), clients, duration)?;
                (done, seconds, process::own_cpu()? - cpu)
            }
        };
        Ok(Round {
            rate: done / seconds,
            client_cpu: client_cpu / done * 1000.0,
            // pgbench runs one thread here; the loop over libpq has one for each client.
            client_busy: client_cpu / seconds,
            ..Meter::read(cluster, None)?.since(&before, done)
        })
    }

    fn by_program(
        &self,
        program: &Path,
        script: &Script,
        url: &str,
        clients: usize,
        duration: Duration,
    ) -> Result<(f64, f64), BenchError> {
        let file = self.folder.join("script.sql");
        fs::write(&file, script.text())?;
        // pgbench counts whole seconds; a shorter run only shows that the script works.
        let length = match duration.as_secs() {
            0 => "--transactions=10".to_owned(),
            seconds => format!("--time={seconds}"),
        };
        let mut command = Command::new(program);
        command.args(["--no-vacuum", "--protocol=prepared", "--jobs=1"]);
        command
            .arg(format!("--client={clients}"))
            .arg(length)
            .arg("--file")
            .arg(&file);
        for (name, value) in &script.constants {
            command.arg(format!("--define={name}={value}"));
        }
        let output = command.arg(url).stdin(Stdio::null()).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let failed = || {
            format!(
                "pgbench failed: {text}{}",
                String::from_utf8_lossy(&output.stderr)
            )
        };
        if !output.status.success() {
            return Err(failed().into());
        }
        let (done, rate) = result(&text).ok_or_else(failed)?;
        Ok((done, done / rate))
    }
}

/// Reads how many transactions there were, and how many a second.
fn result(text: &str) -> Option<(f64, f64)> {
    let after = |begin: &str| text.lines().find_map(|line| line.strip_prefix(begin));
    let done = after("number of transactions actually processed: ")?
        .split('/')
        .next()?
        .trim()
        .parse()
        .ok()?;
    let rate = after("tps = ")?.split(' ').next()?.parse().ok()?;
    Some((done, rate))
}

impl Script {
    /// The script as pgbench reads it.
    fn text(&self) -> String {
        let sets: String = self
            .drawn
            .iter()
            .map(|(name, draw)| format!("\\set {name} {}\n", draw.function()))
            .collect();
        format!("{sets}{};\n", self.sql.replace('\n', " "))
    }

    /// The statement cut at its variables, and the names of these.
    pub(crate) fn parts(&self) -> (Vec<String>, Vec<&str>) {
        let known: Vec<&str> = self
            .constants
            .keys()
            .map(String::as_str)
            .chain(self.drawn.keys().copied())
            .collect();
        let (mut parts, mut names, mut part) = (Vec::new(), Vec::new(), String::new());
        let mut rest = self.sql.as_str();
        while let Some((before, after)) = rest.split_once(':') {
            part.push_str(before);
            let length = after
                .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                .unwrap_or(after.len());
            let (name, left) = after.split_at(length);
            let cast = part.ends_with(':') || after.starts_with(':');
            match known.iter().find(|known| **known == name).filter(|_| !cast) {
                Some(name) => {
                    parts.push(std::mem::take(&mut part));
                    names.push(*name);
                    rest = left;
                }
                None => {
                    part.push(':');
                    rest = after;
                }
            }
        }
        part.push_str(rest);
        parts.push(part);
        (parts, names)
    }

    fn draw(&self, name: &str, random: &mut Rng) -> String {
        match (self.constants.get(name), self.drawn.get(name)) {
            (Some(constant), _) => constant.clone(),
            (None, Some(draw)) => draw.number(random).to_string(),
            (None, None) => String::new(),
        }
    }
}

impl Draw {
    /// The draw as a function of pgbench.
    fn function(self) -> String {
        match self {
            Self::Uniform(low, high) => format!("random({low}, {high})"),
            Self::Zipf(low, high, exponent) => format!("random_zipfian({low}, {high}, {exponent})"),
        }
    }

    /// A number of about the same distribution.
    fn number(self, random: &mut Rng) -> u64 {
        match self {
            Self::Uniform(low, high) => random.u64(low..=high),
            // The inverse of the continuous law's distribution function.
            Self::Zipf(low, high, exponent) => {
                let power = 1.0 - exponent;
                #[expect(clippy::cast_precision_loss, reason = "a count of stores is small")]
                let end = ((high - low + 2) as f64).powf(power);
                let rank = (1.0 + random.f64() * (end - 1.0)).powf(1.0 / power);
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a rank is between 1 and the count of stores"
                )]
                let rank = rank as u64;
                (low + rank - 1).min(high)
            }
        }
    }
}

fn by_loop(
    script: &Script,
    (cluster, database): (&Cluster, &str),
    clients: usize,
    duration: Duration,
) -> Result<(f64, f64), BenchError> {
    let (parts, names) = script.parts();
    let connections = (0..clients)
        .map(|_| cluster.connect(database))
        .collect::<Result<Vec<_>, _>>()?;
    let begin = Instant::now();
    let client = |(seed, mut connection): (u64, PgConnection)| -> Result<u32, BenchError> {
        let mut random = Rng::with_seed(seed);
        let mut done = 0;
        while begin.elapsed() < duration {
            let values: Vec<String> = names
                .iter()
                .map(|name| script.draw(name, &mut random))
                .collect();
            let arguments = values.iter().map(String::as_str).collect();
            let _: Vec<String> = Prepared {
                parts: &parts,
                arguments,
            }
            .load(&mut connection)?;
            done += 1;
        }
        Ok(done)
    };
    let done: u32 = thread::scope(|scope| {
        let clients: Vec<_> = (1..)
            .zip(connections)
            .map(|given| scope.spawn(move || client(given)))
            .collect();
        clients
            .into_iter()
            .map(|client| client.join().map_err(|_| "a client panicked")?)
            .sum::<Result<u32, BenchError>>()
    })?;
    Ok((f64::from(done), begin.elapsed().as_secs_f64()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script() -> Script {
        Script {
            sql: "SELECT :a::text || 'x:' || :number::bigint\n, ':unknown' || :a".to_owned(),
            constants: BTreeMap::from([("a".to_owned(), "A".to_owned())]),
            drawn: BTreeMap::from([("number", Draw::Uniform(5, 5))]),
        }
    }

    #[test]
    fn a_script_is_cut_at_its_variables_and_not_at_casts() {
        let script = script();
        let (parts, names) = script.parts();
        assert_eq!(
            parts,
            [
                "SELECT ",
                "::text || 'x:' || ",
                "::bigint\n, ':unknown' || ",
                ""
            ]
        );
        assert_eq!(names, ["a", "number", "a"]);
        let mut random = Rng::with_seed(1);
        let values: Vec<String> = names
            .iter()
            .map(|name| script.draw(name, &mut random))
            .collect();
        assert_eq!(values, ["A", "5", "A"]);
    }

    #[test]
    fn pgbench_gets_one_line_a_command() {
        let text = script().text();
        assert_eq!(text.lines().count(), 2);
        assert!(
            text.starts_with("\\set number random(5, 5)\nSELECT :a::text"),
            "{text}"
        );
    }

    #[test]
    fn reads_what_pgbench_says() {
        let text = "transaction type: x\nnumber of transactions actually processed: 1234\n\
                    tps = 617.000000 (without initial connection time)\n";
        assert_eq!(result(text), Some((1234.0, 617.0)));
        assert_eq!(
            result("number of transactions actually processed: 12/20\ntps = 6.5 (x)\n"),
            Some((12.0, 6.5))
        );
        assert_eq!(result(""), None);
    }
}
