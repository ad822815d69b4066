//! Decides which facts about a server and a database are deficiencies. Pure.

use pressline_store_kit::{DatabaseUse, Deficiency, Severity};

use super::facts::{Facts, Table};

/// Oldest and newest major version that the tests run on.
const VERSIONS: (i32, i32) = (13, 18);

/// Settings that the service makes for its own sessions: name, right value, and what follows from
/// another value for programs that do not make them.
const PUT_RIGHT: [(&str, &str, &str); 3] = [
    (
        "standard_conforming_strings",
        "on",
        "backslashes in texts would be read as escapes",
    ),
    (
        "gin_fuzzy_search_limit",
        "0",
        "searches would leave out orders",
    ),
    (
        "default_transaction_isolation",
        "read committed",
        "transactions of stores would fail while other stores write",
    ),
];

/// Settings of the server or the database that cannot be made in a session: name, right value, what
/// follows from another value.
const WRONG: [(&str, &str, &str); 6] = [
    (
        "fsync",
        "on",
        "orders that were confirmed are lost, and the database can be damaged, when the machine loses power",
    ),
    (
        "full_page_writes",
        "on",
        "the database can be damaged when the machine loses power",
    ),
    (
        "zero_damaged_pages",
        "off",
        "damaged rows disappear without an error",
    ),
    (
        "session_replication_role",
        "origin",
        "foreign keys are not checked",
    ),
    (
        "autovacuum",
        "on",
        "tables grow without bound and searches become slow",
    ),
    (
        "track_counts",
        "on",
        "autovacuum does nothing, so tables grow without bound and searches become slow",
    ),
];

/// Returns the deficiencies for `purpose`, refusals first.
pub(super) fn deficiencies(facts: &Facts, purpose: DatabaseUse) -> Vec<Deficiency> {
    let mut deficiencies = Vec::new();
    deficiencies.extend(version(facts.server.version));
    deficiencies.extend(encoding(facts));
    deficiencies.extend(read_only(facts));
    deficiencies.extend(privileges(facts));
    if purpose == DatabaseUse::Migrate {
        deficiencies.extend(creation(facts));
    }
    deficiencies.extend(tables(&facts.tables));
    deficiencies.extend(commits(facts));
    let of = |name: &str| facts.settings.get(name);
    let differing = |(name, right, _): &&(&str, &str, &str)| {
        of(name).is_some_and(|value| value.as_str() != *right)
    };
    deficiencies.extend(WRONG.iter().filter(differing).map(|(name, right, then)| {
        Deficiency::warning(format!(
            "{name} is {}: {then}; set it to {right}",
            of(name).map_or("", String::as_str)
        ))
    }));
    deficiencies.extend(PUT_RIGHT.iter().filter(differing).map(|(name, right, then)| {
        Deficiency::warning(format!(
            "{name} is {}, and the service sets it to {right} for its own connections, because {then}; {}",
            of(name).map_or("", String::as_str),
            reset(facts, name)
        ))
    }));
    deficiencies.extend(messages(facts));
    deficiencies.extend(collation(facts));
    deficiencies.extend(connections(facts));
    deficiencies.sort_by_key(|deficiency| deficiency.severity == Severity::Warning);
    deficiencies
}

fn setting<'f>(facts: &'f Facts, name: &str) -> &'f str {
    facts.settings.get(name).map_or("", String::as_str)
}

/// Returns the remedy for a setting that the database or the role changes.
fn reset(facts: &Facts, name: &str) -> String {
    let server = &facts.server;
    format!(
        "to change it for all programs: ALTER DATABASE {} RESET {name}, or ALTER ROLE {} RESET {name}",
        quoted(&server.database),
        quoted(&server.role)
    )
}

/// Quotes `name` for SQL.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn version(number: i32) -> Option<Deficiency> {
    let major = number / 10_000;
    let (oldest, newest) = VERSIONS;
    if major < oldest {
        return Some(Deficiency::refusal(format!(
            "PostgreSQL {major} is too old: the service needs {oldest} to {newest}; upgrade the server"
        )));
    }
    (major > newest).then(|| {
        Deficiency::warning(format!(
            "PostgreSQL {major} is newer than this build; tests cover {oldest} to {newest}"
        ))
    })
}

fn encoding(facts: &Facts) -> Vec<Deficiency> {
    let database = quoted(&facts.server.database);
    let (server, client) = (
        setting(facts, "server_encoding"),
        setting(facts, "client_encoding"),
    );
    let mut deficiencies = Vec::new();
    if server != "UTF8" {
        deficiencies.push(Deficiency::refusal(format!(
            "the database {database} has the encoding {server}, which cannot hold every name and address; create it \
             anew: CREATE DATABASE {database} ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0, and copy what it \
             contains"
        )));
    }
    if client != "UTF8" {
        deficiencies.push(Deficiency::refusal(format!(
            "connections arrive with the client encoding {client} instead of UTF8, so that names and addresses would \
             be damaged; configure the pooler or the server to keep the client's setting"
        )));
    }
    deficiencies
}

fn read_only(facts: &Facts) -> Option<Deficiency> {
    if facts.server.is_standby {
        return Some(Deficiency::refusal(
            "the server is a standby, on which nothing can be written; name the primary in database.url, or add \
             target_session_attrs=read-write and all servers",
        ));
    }
    (setting(facts, "default_transaction_read_only") == "on").then(|| {
        Deficiency::refusal(format!(
            "default_transaction_read_only is on, so that no order can be stored; {}",
            reset(facts, "default_transaction_read_only")
        ))
    })
}

/// Returns why migrations cannot create tables, if there are any.
fn creation(facts: &Facts) -> Option<Deficiency> {
    let server = &facts.server;
    if !facts.has_pending || server.may_create {
        return None;
    }
    let role = quoted(&server.role);
    Some(Deficiency::refusal(match &server.schema {
        Some(schema) => format!(
            "the role {role} may not create tables in the schema {0}; as its owner, run GRANT CREATE ON SCHEMA {0} \
             TO {role}",
            quoted(schema)
        ),
        None => format!(
            "no schema of search_path exists or may be used by the role {role}, so that there is no place for tables; \
             create one, or run GRANT USAGE, CREATE ON SCHEMA public TO {role}"
        ),
    }))
}

fn privileges(facts: &Facts) -> Option<Deficiency> {
    let lacking: Vec<&Table> = facts
        .tables
        .iter()
        .filter(|table| !table.lacks.is_empty())
        .collect();
    let first = lacking.first()?;
    let more = match lacking.len() {
        1 => String::new(),
        count => format!(", nor some privileges on {} other tables", count - 1),
    };
    let schema = facts.server.schema.as_deref().unwrap_or("public");
    let role = quoted(&facts.server.role);
    Some(Deficiency::refusal(format!(
        "the role {role} has not the privileges {} on the table {}{more}; as the tables' owner, run GRANT SELECT, \
         INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {} TO {role}",
        first.lacks,
        first.name,
        quoted(schema)
    )))
}

fn tables(tables: &[Table]) -> Vec<Deficiency> {
    let names = |is: fn(&Table) -> bool| {
        let names: Vec<&str> = tables
            .iter()
            .filter(|table| is(table))
            .map(|table| table.name.as_str())
            .collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    let mut deficiencies = Vec::new();
    deficiencies.extend(names(|table| table.hides_rows).map(|names| {
        Deficiency::refusal(format!(
            "row-level security hides rows from the service in {names}; grant its role BYPASSRLS, or run ALTER TABLE \
             … DISABLE ROW LEVEL SECURITY"
        ))
    }));
    deficiencies.extend(tables.iter().filter_map(|table| {
        let index = table.invalid_index.as_ref()?;
        Some(Deficiency::refusal(format!(
            "the index {index} of {} is invalid, so that searches can be incomplete and ids can repeat; run REINDEX \
             INDEX {index}",
            table.name
        )))
    }));
    deficiencies.extend(names(|table| table.is_unlogged).map(|names| {
        Deficiency::refusal(format!(
            "a crash of the server empties the unlogged tables {names}; run ALTER TABLE … SET LOGGED"
        ))
    }));
    deficiencies.extend(names(|table| table.has_disabled_triggers).map(|names| {
        Deficiency::warning(format!(
            "foreign keys are not checked, because triggers are off in {names}; run ALTER TABLE … ENABLE TRIGGER ALL"
        ))
    }));
    deficiencies
}

/// Returns settings that weaken the promise that an order is on disk before its response.
fn commits(facts: &Facts) -> Option<Deficiency> {
    let name = "synchronous_commit";
    match setting(facts, name) {
        "off" => Some(Deficiency::warning(format!(
            "{name} is off, and the service sets it to on for its own connections, because orders that were confirmed \
             would be lost in a crash; {}",
            reset(facts, name)
        ))),
        "local" if !setting(facts, "synchronous_standby_names").is_empty() => {
            Some(Deficiency::warning(format!(
                "{name} is local although there are synchronous standbys: after a failover, orders that were \
                 confirmed can be missing; {}",
                reset(facts, name)
            )))
        }
        _ => None,
    }
}

/// libpq has no codes for some errors; their English texts identify them.
fn messages(facts: &Facts) -> Option<Deficiency> {
    let locale = setting(facts, "lc_messages");
    let language = locale
        .split(['_', '.', '@', '-'])
        .next()
        .unwrap_or_default();
    let is_english = ["", "c", "posix", "en", "english"]
        .iter()
        .any(|english| language.eq_ignore_ascii_case(english));
    (!is_english && !locale.starts_with("English")).then(|| {
        Deficiency::warning(format!(
            "lc_messages is {locale}: deadlocks and lost connections are recognised by English messages only, so that \
             some calls fail instead of being repeated; run ALTER DATABASE {} SET lc_messages = 'C'",
            quoted(&facts.server.database)
        ))
    })
}

fn collation(facts: &Facts) -> Option<Deficiency> {
    let (recorded, present) = facts.collation.as_ref()?;
    let database = quoted(&facts.server.database);
    Some(Deficiency::warning(format!(
        "the database {database} was made with version {recorded} of its collation, and the system has {present}: \
         indexes can be in the wrong order; run REINDEX DATABASE {database}, then ALTER DATABASE {database} REFRESH \
         COLLATION VERSION"
    )))
}

fn connections(facts: &Facts) -> Option<Deficiency> {
    let number = |name| setting(facts, name).parse::<i64>().unwrap_or(0);
    let needed = i64::try_from(facts.connections?).unwrap_or(i64::MAX);
    let server = number("max_connections") - number("superuser_reserved_connections");
    let limits = [
        (server, "max_connections of the server leaves"),
        (facts.server.role_limit.into(), "the limit of its role is"),
        (
            facts.server.database_limit.into(),
            "the limit of its database is",
        ),
    ]
    .into_iter()
    .filter(|(limit, _)| (0..needed).contains(limit));
    let (limit, whose) = limits.min_by_key(|(limit, _)| *limit)?;
    Some(Deficiency::warning(format!(
        "the service may use {needed} connections, and {whose} {limit}: under load, calls would get 503; lower \
         database.pool_size, or raise the limit"
    )))
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
