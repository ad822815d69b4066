//! The goals, each a bound on one figure of a run.

use serde::Serialize;

/// The goals, in the order of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Goal {
    CreateAgainstPgbench,
    CreateAgainstFastify,
    CreateTailAgainstFastify,
    CreateOneConnection,
    CreateCpu,
    CreateSqlite,
    RefusedSignature,
    Update,
    Get,
    SearchGrowth,
    SearchTail,
    DeepOffset,
    DeepCursor,
    NeighbourSearches,
    NeighbourOrders,
    NeighbourSearchesSqlite,
    NeighbourOrdersSqlite,
    MemoryIdle,
    MemoryLoad,
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

/// Every goal.
pub(crate) const TARGETS: [Target; 20] = [
    ratio(
        Goal::CreateAgainstPgbench,
        "create, PostgreSQL, 64 connections : pgbench, one CTE statement an order, its best client count, same rows and \
         indexes",
        Bound::AtLeast(1.0),
        Some(1.3),
    ),
    ratio(
        Goal::CreateAgainstFastify,
        "create, 64 connections : minimal Fastify + pg",
        Bound::AtLeast(2.5),
        Some(4.0),
    ),
    ratio(
        Goal::CreateTailAgainstFastify,
        "p99 of create, 64 connections : Fastify's",
        Bound::AtMost(0.33),
        None,
    ),
    ratio(
        Goal::CreateOneConnection,
        "create, one connection : pgbench, one client, one CTE",
        Bound::AtLeast(0.5),
        None,
    ),
    ratio(
        Goal::CreateCpu,
        "CPU seconds per 1000 orders, service + PostgreSQL : pgbench's one CTE, PostgreSQL + client",
        Bound::AtMost(1.0),
        None,
    ),
    ratio(
        Goal::CreateSqlite,
        "create, SQLite, 32 connections : a transaction an order",
        Bound::AtLeast(3.0),
        None,
    ),
    ratio(
        Goal::RefusedSignature,
        "refused signature : the same server's plain 404",
        Bound::AtLeast(0.7),
        None,
    ),
    ratio(
        Goal::Update,
        "update : pgbench of the same statements",
        Bound::AtLeast(0.6),
        None,
    ),
    ratio(
        Goal::Get,
        "get : pgbench of the same statement",
        Bound::AtLeast(0.6),
        None,
    ),
    ratio(
        Goal::SearchGrowth,
        "search page and text, p99, 1,000,000 orders : 10,000 orders, same store share",
        Bound::AtMost(2.0),
        None,
    ),
    figure(
        Goal::SearchTail,
        "search p99 at 1,000,000 orders, every kind of text, hot and cold store",
        10.0,
        "ms",
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
        Goal::NeighbourSearches,
        "p99 of a store, PostgreSQL, beside another one's ten deep searches for common words a second : alone",
        Bound::AtMost(2.0),
        Some(1.2),
    ),
    ratio(
        Goal::NeighbourOrders,
        "p99 of a store, PostgreSQL, beside another one's orders of 100 items, 64 at a time : alone",
        Bound::AtMost(2.0),
        Some(1.2),
    ),
    ratio(
        Goal::NeighbourSearchesSqlite,
        "p99 of a store, SQLite, beside another one's ten deep searches for common words a second : alone",
        Bound::AtMost(2.0),
        Some(1.2),
    ),
    ratio(
        Goal::NeighbourOrdersSqlite,
        "p99 of a store, SQLite, beside another one's orders of 100 items, 64 at a time : alone",
        Bound::AtMost(2.0),
        Some(1.2),
    ),
    figure(Goal::MemoryIdle, "resident memory, idle", 30.0, "MB"),
    figure(
        Goal::MemoryLoad,
        "resident memory, under full load",
        150.0,
        "MB",
    ),
    figure(
        Goal::Start,
        "process start to first answer, migrated database",
        300.0,
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
    fn every_goal_stands_once_in_its_order() {
        let goals: Vec<Goal> = TARGETS.iter().map(|target| target.goal).collect();
        assert!(goals.is_sorted_by(|a, b| a < b), "{goals:?}");
    }
}
