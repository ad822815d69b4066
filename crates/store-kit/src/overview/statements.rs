//! Statements of the overview and of reports with sample values, for tests of their query plans.

use pressline_backoffice::overview::Hours;
use pressline_domain::value::Timestamp;

use super::hours::bounds;
use super::orders::placed_text;
use super::texts::Texts;
use crate::cold::Cold;
use crate::cold_value::Values;
use crate::dialect::Dialect;

fn values() -> Values {
    let hours = Hours::until(Timestamp::from_millis(1_717_818_552_905));
    let mut values = vec![
        ("store_id", "store-1".into()),
        ("rows", "[]".into()),
        ("from_id", "order-1".into()),
        ("before_id", "order-2".into()),
        ("count", 500_i64.into()),
    ];
    values.extend(bounds(hours));
    values
}

/// Returns the statements, for tests of query plans. If `one_by_one`, each reads a single store.
pub fn overview_statements(
    dialect: &'static Dialect,
    one_by_one: bool,
) -> [(&'static str, Cold); 3] {
    let texts = Texts {
        dialect,
        one_by_one,
    };
    let name = |any, one| if one_by_one { one } else { any };
    let orders = name("open orders of any stores", "open orders of a store");
    let by_hour = name("orders of any stores by hour", "orders of a store by hour");
    let parcels = name(
        "parcels of any stores by hour",
        "parcels of a store by hour",
    );
    [
        (orders, texts.lines()),
        (by_hour, texts.hour_orders()),
        (parcels, texts.hour_shipments()),
    ]
    .map(|(name, text)| (name, Cold::new(&text, &values())))
}

/// Returns the statement that reads placed orders for reports, with sample values.
pub fn placed_statement() -> Cold {
    Cold::new(&placed_text(), &values())
}
