//! The reference for PostgreSQL: one prepared statement per operation, run by pgbench.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use pressline_testkit::client_program;

use crate::database::Cluster;
use crate::error::{BenchError, say};
use crate::figures::{Figure, Round};
use crate::meter::Meter;
use crate::process;

/// Distribution of a variable, drawn for each transaction; both bounds are included.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Draw {
    Uniform(u64, u64),
    /// Zipf distribution with an exponent; the lower bound is drawn most often.
    Zipf(u64, u64, f64),
}

/// An operation. Variables are `:name` in the statement and passed as arguments.
#[derive(Debug, Clone, Default)]
pub(crate) struct Script {
    pub(crate) sql: String,
    pub(crate) constants: BTreeMap<String, String>,
    pub(crate) drawn: BTreeMap<&'static str, Draw>,
}

pub(crate) struct Pgbench {
    program: PathBuf,
    folder: PathBuf,
}

impl Pgbench {
    /// Finds pgbench in the server's folder; scripts are written to `folder`. Returns `None` and
    /// prints the reason if it is missing.
    pub(crate) fn find(folder: &Path) -> Option<Self> {
        let program = client_program("pgbench")
            .inspect_err(|error| say(&format!("pgbench is left out: {error}")));
        Some(Self {
            program: program.ok()?,
            folder: folder.to_owned(),
        })
    }

    /// Runs `script` in `database` for `window`. pgbench's CPU time takes the place of the
    /// service's.
    pub(crate) fn run(
        &self,
        (cluster, database): (&Cluster, &str),
        script: &Script,
        window: Duration,
        clients: usize,
    ) -> Result<Round, BenchError> {
        let (before, cpu) = (Meter::read(cluster, None)?, process::ended_children_cpu()?);
        let text = self.output(&cluster.url(database), script, window, clients)?;
        let (transactions, rate) =
            result(&text).ok_or_else(|| format!("pgbench failed: {text}"))?;
        let now = Meter {
            service: process::ended_children_cpu()? - cpu,
            ..Meter::read(cluster, None)?
        };
        let round = Round::new(Figure::Rate, rate).with([(Figure::Operations, transactions)]);
        Ok(round.with(before.since(&now, transactions)))
    }

    fn output(
        &self,
        url: &str,
        script: &Script,
        window: Duration,
        clients: usize,
    ) -> Result<String, BenchError> {
        let file = self.folder.join("script.sql");
        fs::write(&file, script.text())?;
        // pgbench counts whole seconds; a shorter run only shows that the script works.
        let length = match window.as_secs() {
            0 => "--transactions=10".to_owned(),
            seconds => format!("--time={seconds}"),
        };
        let constants = script.constants.iter();
        let output = Command::new(&self.program)
            .args(["--no-vacuum", "--protocol=prepared", "--jobs=1"])
            .arg(format!("--client={clients}"))
            .arg(length)
            .arg("--file")
            .arg(&file)
            .args(constants.map(|(name, value)| format!("--define={name}={value}")))
            .arg(url)
            .stdin(Stdio::null())
            .output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.success() {
            return Ok(text);
        }
        let errors = String::from_utf8_lossy(&output.stderr);
        Err(format!("pgbench failed: {text}{errors}").into())
    }
}

fn result(text: &str) -> Option<(f64, f64)> {
    let after = |begin: &str| text.lines().find_map(|line| line.strip_prefix(begin));
    let transactions = after("number of transactions actually processed: ")?
        .split('/')
        .next()?
        .trim()
        .parse()
        .ok()?;
    let rate = after("tps = ")?.split(' ').next()?.parse().ok()?;
    Some((transactions, rate))
}

impl Script {
    fn text(&self) -> String {
        let sets: String = self
            .drawn
            .iter()
            .map(|(name, draw)| format!("\\set {name} {}\n", draw.function()))
            .collect();
        format!("{sets}{};\n", self.sql.replace('\n', " "))
    }
}

impl Draw {
    fn function(self) -> String {
        match self {
            Self::Uniform(low, high) => format!("random({low}, {high})"),
            Self::Zipf(low, high, exponent) => format!("random_zipfian({low}, {high}, {exponent})"),
        }
    }
}
