//! Command line of `cargo xtask test`.

/// Selection of tests, and of the PostgreSQL that they use.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Arguments {
    /// Also run the variants of PostgreSQL and the smoke test of the bench
    #[arg(long, conflicts_with_all = ["packages", "filters"])]
    pub(crate) all: bool,
    /// Packages to test, by name or folder, such as `domain`; default: all but the bench
    #[arg(short, long = "package", value_name = "NAME")]
    packages: Vec<String>,
    /// Run the unit tests of libraries only
    #[arg(long)]
    lib: bool,
    /// Run only these programs of `tests` folders
    #[arg(long = "test", value_name = "NAME")]
    tests: Vec<String>,
    /// Run the database tests on this PostgreSQL server, each in a database of its own, or in a schema
    /// of its own where the user may not create databases
    #[arg(long, value_name = "URL", conflicts_with_all = ["all", "packages"])]
    pub(crate) database_url: Option<String>,
    /// Run the database tests with one variant: plain, partitions, pgbouncer, citus or wheel
    #[arg(long, value_name = "NAME", conflicts_with_all = ["all", "packages"])]
    pub(crate) variant: Option<String>,
    /// Run only tests whose names contain one of these texts
    #[arg(value_name = "FILTER")]
    pub(crate) filters: Vec<String>,
    /// Further arguments of the test programs
    #[arg(last = true, value_name = "ARGUMENT")]
    pub(crate) harness: Vec<String>,
}

impl Arguments {
    /// Returns the `cargo test` arguments that select the programs to build.
    pub(crate) fn selection(&self) -> Vec<String> {
        let mut selection = self.packages();
        if self.lib {
            selection.push("--lib".to_owned());
        }
        selection.extend(self.tests.iter().map(|name| format!("--test={name}")));
        selection
    }

    /// Returns the `cargo test` arguments that select packages.
    pub(crate) fn packages(&self) -> Vec<String> {
        if !self.packages.is_empty() {
            let packages = self.packages.iter();
            return packages
                .map(|name| format!("--package={}", package(name)))
                .collect();
        }
        let mut all = vec!["--workspace".to_owned()];
        if !self.all {
            all.push("--exclude=pressline-bench".to_owned());
        }
        all
    }

    /// Returns whether documentation tests run: only if no programs were selected.
    pub(crate) fn with_documentation(&self) -> bool {
        !self.lib && self.tests.is_empty()
    }
}

/// Returns the package name; `name` may be its folder.
fn package(name: &str) -> String {
    match name {
        "server" => "pressline".to_owned(),
        "pressline" | "xtask" => name.to_owned(),
        _ if name.starts_with("pressline-") => name.to_owned(),
        _ => format!("pressline-{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_packages_but_the_bench_are_the_default() {
        let default = Arguments::default();
        assert_eq!(
            default.selection(),
            ["--workspace", "--exclude=pressline-bench"]
        );
        let all = Arguments {
            all: true,
            ..Arguments::default()
        };
        assert_eq!(all.selection(), ["--workspace"]);
    }

    #[test]
    fn packages_are_named_by_folder_or_name() {
        let arguments = Arguments {
            packages: ["domain", "pressline-api", "server", "xtask"]
                .map(str::to_owned)
                .to_vec(),
            lib: true,
            ..Arguments::default()
        };
        assert_eq!(
            arguments.selection(),
            [
                "--package=pressline-domain",
                "--package=pressline-api",
                "--package=pressline",
                "--package=xtask",
                "--lib"
            ]
        );
        assert!(!arguments.with_documentation());
    }
}
