//! Finds out whether a pooler is between this process and the server.
//!
//! A pooler in transaction mode, for example pgbouncer, may run each transaction in another session
//! of the server. The settings and maybe the prepared statements of that session then belong to
//! other clients. ADR 15 has the details.

use std::fmt::Write as _;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use diesel::connection::Connection;
use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::{DatabaseErrorKind, Error};
use diesel::sql_types::Bool;
use diesel::{ConnectionError, ConnectionResult};

/// Random value of the session setting `pressline.mark`, sent in the parameters of a new
/// connection. A transaction that runs in a session without this value has come through a pooler.
pub(crate) struct Mark(String);

#[derive(Clone, Default)]
pub(crate) struct Pooling(Arc<PoolerState>);

#[derive(Default)]
struct PoolerState {
    /// `true` as soon as any connection has found a pooler; never reset.
    has_pooler: AtomicBool,
    /// Result of [`Pooling::keeps_statements`]. Unset until the first connection through a pooler.
    keeps_statements: OnceLock<bool>,
}

impl Mark {
    pub(crate) fn new() -> Self {
        // The keys of the standard library's hash tables are random, which saves a dependency.
        let random = RandomState::new().build_hasher().finish();
        Self(format!("{random:016x}"))
    }

    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    /// Keeps the options that `url` or `PGOPTIONS` sets.
    fn added_to(&self, url: &str) -> String {
        let options = crate::url::parameter(url, "options")
            .map(str::to_owned)
            .or_else(|| Some(crate::url::encoded(&std::env::var("PGOPTIONS").ok()?)));
        let mut url = url.to_owned();
        url.push(if url.contains('?') { '&' } else { '?' });
        url.push_str("options=");
        if let Some(options) = options {
            url.extend([&options, "%20"]);
        }
        // Writing to a string cannot fail.
        let _ = write!(url, "-c%20pressline.mark%3D{}", self.0);
        url
    }
}

impl Pooling {
    pub(crate) fn has_pooler(&self) -> bool {
        self.0.has_pooler.load(Ordering::Relaxed)
    }

    pub(crate) fn found_pooler(&self) {
        if !self.0.has_pooler.swap(true, Ordering::Relaxed) {
            tracing::info!("a pooler is between the service and PostgreSQL");
        }
    }

    /// Leaves out the parameter of `mark` if a pooler is known, or if the parameter is refused.
    pub(crate) fn establish(&self, url: &str, mark: &Mark) -> ConnectionResult<PgConnection> {
        // Saves an attempt with a parameter that the pooler may refuse.
        if self.has_pooler() {
            return PgConnection::establish(url);
        }
        PgConnection::establish(&mark.added_to(url)).or_else(|error| {
            if is_about_options(&error) {
                PgConnection::establish(url)
            } else {
                Err(error)
            }
        })
    }

    /// Returns whether the pooler prepares a client's statements in every session, as pgbouncer
    /// does since version 1.21 with `max_prepared_statements`. Only the first connection asks.
    pub(crate) fn keeps_statements(&self, connection: &mut PgConnection) -> bool {
        if let Some(known) = self.0.keeps_statements.get() {
            return *known;
        }
        let ask = |connection: &mut PgConnection| HasOwnName.get_result::<bool>(connection);
        let keeps = match connection.transaction(ask) {
            Ok(has_own_name) => !has_own_name,
            // Unknown: the connection was lost, so that the next connection asks again.
            Err(Error::DatabaseError(DatabaseErrorKind::ClosedConnection, _)) => return false,
            // Another client has prepared a statement of this name in the session.
            Err(_) => false,
        };
        *self.0.keeps_statements.get_or_init(|| keeps)
    }
}

/// The message of pgbouncer names the parameter, or reports an unsupported startup parameter; other
/// poolers report that they do not support options.
fn is_about_options(error: &ConnectionError) -> bool {
    matches!(error, ConnectionError::BadConnection(message)
        if ["parameter", "options"].iter().any(|word| message.contains(word)))
}

/// Statement that selects whether the server knows a prepared statement by the name that this
/// client chose. A pooler that keeps the statements of several clients renames them.
#[derive(QueryId)]
struct HasOwnName;

impl QueryFragment<Pg> for HasOwnName {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(
            "SELECT EXISTS (SELECT FROM pg_prepared_statements WHERE name LIKE '\\_\\_diesel\\_stmt\\_%')",
        );
        Ok(())
    }
}

impl Query for HasOwnName {
    type SqlType = Bool;
}

impl RunQueryDsl<PgConnection> for HasOwnName {}

#[cfg(test)]
mod tests {
    use pressline_testkit::Postgres;

    use super::*;

    #[test]
    fn the_mark_is_added_to_the_options_of_the_url() {
        let mark = Mark("0f".to_owned());
        assert_eq!(
            mark.added_to("postgres://h/d?keepalives_idle=30"),
            "postgres://h/d?keepalives_idle=30&options=-c%20pressline.mark%3D0f"
        );
        assert!(
            mark.added_to("postgres://h/d?options=-c%20jit%3Doff")
                .ends_with("&options=-c%20jit%3Doff%20-c%20pressline.mark%3D0f")
        );
    }

    #[test]
    fn a_server_has_the_mark_and_the_names_of_prepared_statements() {
        let database = Postgres::shared().unwrap().create_database().unwrap();
        let (pooling, mark) = (Pooling::default(), Mark::new());
        let mut connection = pooling.establish(database.url(), &mark).unwrap();
        // Behind a pooler, as in one variant of the test run, neither holds.
        let plain = database.variant() != pressline_testkit::Variant::Pgbouncer;
        let has_mark = diesel::select(diesel::dsl::sql::<Bool>(
            "current_setting('pressline.mark', true) IS NOT NULL",
        ));
        assert_eq!(has_mark.get_result::<bool>(&mut connection), Ok(plain));
        assert_eq!(HasOwnName.get_result::<bool>(&mut connection), Ok(true));
        assert!(!pooling.keeps_statements(&mut connection));
    }
}
