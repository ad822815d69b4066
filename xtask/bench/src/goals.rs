//! The goals, each a bound on one figure of a run.

use serde::Serialize;

/// The goals, in the order of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Goal {
    CreateAgainstPgbench,
    CreateManyStores,
    CreateAgainstFastify,
    CreateAgainstFastifyWords,
    CreateTailAgainstFastify,
    CreateOneConnection,
    CreateCpu,
    CreateWal,
    CreateSqlite,
    CreateLarge,
    Update,
    Get,
    Move,
    MoveSqlite,
    RefusedSignature,
    SearchTail,
    SearchGrowth,
    DeepOffset,
    DeepCursor,
    Goodput,
    OverloadTail,
    NeighbourSearches,
    NeighbourOrders,
    NeighbourSearchesSqlite,
    NeighbourOrdersSqlite,
    ImportTail,
    ImportTailSqlite,
    WebhooksCreate,
    WebhooksCreateSqlite,
    WebhooksRate,
    WebhooksRateSqlite,
    PollsCreate,
    PollsCreateSqlite,
    FeedDepth,
    PagesTail,
    MemoryIdle,
    MemoryLoad,
    MemoryConnections,
    MemoryBodies,
    Start,
}

/// Which figures are good.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Bound {
    AtLeast(f64),
    AtMost(f64),
}

/// What a goal asks for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Target {
    pub(crate) goal: Goal,
    pub(crate) what: &'static str,
    pub(crate) bound: Bound,
    /// What would be better still.
    pub(crate) stretch: Option<f64>,
    /// Empty for a ratio.
    pub(crate) unit: &'static str,
}

const fn ratio(goal: Goal, what: &'static str, bound: Bound, stretch: Option<f64>) -> Target {
    Target {
        goal,
        what,
        bound,
        stretch,
        unit: "",
    }
}

const fn figure(goal: Goal, what: &'static str, bound: f64, unit: &'static str) -> Target {
    Target {
        goal,
        what,
        bound: Bound::AtMost(bound),
        stretch: None,
        unit,
    }
}

const fn least(goal: Goal, what: &'static str, bound: f64, unit: &'static str) -> Target {
    Target {
        goal,
        what,
        bound: Bound::AtLeast(bound),
        stretch: None,
        unit,
    }
}

/// Every goal.
pub(crate) const TARGETS: [Target; 40] = [
    ratio(
        Goal::CreateAgainstPgbench,
        "create, PostgreSQL, 64 connections, one store : pgbench, one CTE statement an order, its best client count, same rows and indexes",
        Bound::AtLeast(1.2),
        Some(1.5),
    ),
    ratio(
        Goal::CreateManyStores,
        "create, 64 connections, 200 stores, 100,000 SKUs : pgbench with the same spread",
        Bound::AtLeast(1.1),
        Some(1.4),
    ),
    ratio(
        Goal::CreateAgainstFastify,
        "create, 64 connections : Fastify + pg without search words",
        Bound::AtLeast(2.5),
        Some(3.2),
    ),
    ratio(
        Goal::CreateAgainstFastifyWords,
        "create, 64 connections : Fastify + pg with the same search words",
        Bound::AtLeast(3.0),
        Some(4.0),
    ),
    ratio(
        Goal::CreateTailAgainstFastify,
        "p99 of create, 64 connections : Fastify's",
        Bound::AtMost(0.25),
        Some(0.15),
    ),
    ratio(
        Goal::CreateOneConnection,
        "create, one connection : pgbench, one client",
        Bound::AtLeast(0.65),
        Some(0.75),
    ),
    ratio(
        Goal::CreateCpu,
        "CPU seconds per order, service + PostgreSQL : pgbench's, PostgreSQL + client",
        Bound::AtMost(0.75),
        Some(0.6),
    ),
    ratio(
        Goal::CreateWal,
        "WAL bytes per order : pgbench's",
        Bound::AtMost(1.0),
        Some(0.8),
    ),
    ratio(
        Goal::CreateSqlite,
        "create, SQLite, 32 connections : a transaction an order",
        Bound::AtLeast(2.8),
        Some(3.2),
    ),
    ratio(
        Goal::CreateLarge,
        "create, PostgreSQL, 1,000,000 orders stored : 10,000 orders stored",
        Bound::AtLeast(0.8),
        None,
    ),
    ratio(
        Goal::Update,
        "update : pgbench of the same statement",
        Bound::AtLeast(1.0),
        None,
    ),
    ratio(
        Goal::Get,
        "get : pgbench of the same statement",
        Bound::AtLeast(0.8),
        None,
    ),
    ratio(
        Goal::Move,
        "status move : update, PostgreSQL, CPU seconds of service + database",
        Bound::AtMost(0.5),
        Some(0.3),
    ),
    ratio(
        Goal::MoveSqlite,
        "status move : update, SQLite, CPU seconds of the service",
        Bound::AtMost(0.5),
        Some(0.3),
    ),
    ratio(
        Goal::RefusedSignature,
        "refused signature : the same server's plain 404",
        Bound::AtLeast(0.7),
        None,
    ),
    figure(
        Goal::SearchTail,
        "search p99 at 1,000,000 orders, every kind of text, hot and cold store",
        5.0,
        "ms",
    ),
    ratio(
        Goal::SearchGrowth,
        "search p99, 1,000,000 : 10,000 orders, equal page fill, the worst kind",
        Bound::AtMost(2.0),
        None,
    ),
    ratio(
        Goal::DeepOffset,
        "page 10,000 by offset : page 1",
        Bound::AtMost(40.0),
        None,
    ),
    ratio(
        Goal::DeepCursor,
        "page 10,000 by cursor : page 1",
        Bound::AtMost(2.0),
        None,
    ),
    ratio(
        Goal::Goodput,
        "goodput at three times the capacity : peak",
        Bound::AtLeast(0.9),
        None,
    ),
    figure(
        Goal::OverloadTail,
        "p99 of accepted requests at three times the capacity",
        1000.0,
        "ms",
    ),
    ratio(
        Goal::NeighbourSearches,
        "p99 of a store, PostgreSQL, next to another one's ten deep searches for common words a second : alone",
        Bound::AtMost(2.0),
        Some(1.2),
    ),
    ratio(
        Goal::NeighbourOrders,
        "p99 of a store, PostgreSQL, next to another one's orders of 100 items, 64 at a time : alone",
        Bound::AtMost(2.0),
        Some(1.2),
    ),
    ratio(
        Goal::NeighbourSearchesSqlite,
        "p99 of a store, SQLite, next to another one's ten deep searches for common words a second : alone",
        Bound::AtMost(2.0),
        Some(1.2),
    ),
    ratio(
        Goal::NeighbourOrdersSqlite,
        "p99 of a store, SQLite, next to another one's orders of 100 items, 64 at a time : alone",
        Bound::AtMost(2.0),
        Some(1.2),
    ),
    figure(
        Goal::ImportTail,
        "p99 of create, PostgreSQL, while 100,000 products are imported",
        200.0,
        "ms",
    ),
    figure(
        Goal::ImportTailSqlite,
        "p99 of create, SQLite, while 100,000 products are imported",
        200.0,
        "ms",
    ),
    ratio(
        Goal::WebhooksCreate,
        "create, PostgreSQL, 64 connections, while ten endpoints of the store are sent the events : without endpoints",
        Bound::AtLeast(0.97),
        None,
    ),
    ratio(
        Goal::WebhooksCreateSqlite,
        "create, SQLite, 32 connections, while ten endpoints of the store are sent the events : without endpoints",
        Bound::AtLeast(0.97),
        None,
    ),
    least(
        Goal::WebhooksRate,
        "events sent to a local receiver, one endpoint, PostgreSQL",
        1000.0,
        "a second",
    ),
    least(
        Goal::WebhooksRateSqlite,
        "events sent to a local receiver, one endpoint, SQLite",
        1000.0,
        "a second",
    ),
    ratio(
        Goal::PollsCreate,
        "create, PostgreSQL, 64 connections, while 1,000 calls of another store wait for events : without them",
        Bound::AtLeast(0.97),
        None,
    ),
    ratio(
        Goal::PollsCreateSqlite,
        "create, SQLite, 32 connections, while 1,000 calls of another store wait for events : without them",
        Bound::AtLeast(0.97),
        None,
    ),
    ratio(
        Goal::FeedDepth,
        "page of 500 events, the latest of the hot store : the first",
        Bound::AtMost(1.2),
        None,
    ),
    figure(
        Goal::PagesTail,
        "p99 of the slowest page of the console, one connection",
        40.0,
        "ms",
    ),
    figure(Goal::MemoryIdle, "resident memory, idle", 20.0, "MB"),
    figure(
        Goal::MemoryLoad,
        "resident memory, under full load",
        100.0,
        "MB",
    ),
    figure(
        Goal::MemoryConnections,
        "resident memory, 10,000 idle connections",
        150.0,
        "MB",
    ),
    figure(
        Goal::MemoryBodies,
        "resident memory, 64 bodies of 1 MiB",
        250.0,
        "MB",
    ),
    figure(
        Goal::Start,
        "process start to first answer, migrated database",
        50.0,
        "ms",
    ),
];

impl Bound {
    /// Whether a figure is good.
    pub(crate) fn holds(self, figure: f64) -> bool {
        match self {
            Self::AtLeast(bound) => figure >= bound,
            Self::AtMost(bound) => figure <= bound,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_inclusive() {
        assert!(Bound::AtLeast(1.0).holds(1.0) && !Bound::AtLeast(1.0).holds(0.99));
        assert!(Bound::AtMost(1.0).holds(1.0) && !Bound::AtMost(1.0).holds(1.01));
    }

    #[test]
    fn every_goal_is_listed_once_in_its_order() {
        let goals: Vec<Goal> = TARGETS.iter().map(|target| target.goal).collect();
        assert!(goals.is_sorted_by(|a, b| a < b), "{goals:?}");
    }
}
