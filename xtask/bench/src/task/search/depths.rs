//! Pages at several depths of the hot store, by page number and by cursor.

use serde_json::{Value, json};

use super::{Instance, PAGE, float, measure, number_of, tail};
use crate::BenchError;
use crate::context::Context;
use crate::figures::{Round, Rounds, Spread};
use crate::goals::Goal;
use crate::http;
use crate::plot::{Plot, Series};
use crate::report::{Table, median};
use crate::request::SEARCH;
use crate::statements::hot_orders;

/// Orders on a page while walking to a depth.
const STRIDE: u64 = 100;
/// The pages whose depth is measured.
const DEPTHS: [u64; 5] = [1, 10, 100, 1_000, 10_000];
/// The page that the goals are about.
const DEEP: u64 = 10_000;
/// Times that a page is requested in a round.
const REPEATS: usize = 100;

/// A page that is requested again and again, and what was measured.
struct Depth {
    page: u64,
    requests: Vec<Vec<u8>>,
    rounds: Rounds,
}

impl Depth {
    fn new(instance: &Instance, page: u64, body: &Value) -> Self {
        let request = instance
            .filled
            .hot
            .account
            .request(SEARCH, &body.to_string());
        Self {
            page,
            requests: vec![request; REPEATS],
            rounds: Rounds::default(),
        }
    }
}

/// Measures, and adds the table, the chart and the figures of the goals to the report.
pub(super) fn run(context: &mut Context, instance: &Instance) -> Result<(), BenchError> {
    let pages = pages(instance);
    let mut by_offset: Vec<Depth> = pages
        .iter()
        .map(|page| Depth::new(instance, *page, &json!({ "page": page, "size": PAGE })))
        .collect();
    let mut by_cursor: Vec<Depth> = walk(instance, &pages)?
        .into_iter()
        .map(|(page, cursor)| {
            Depth::new(instance, page, &json!({ "cursor": cursor, "size": PAGE }))
        })
        .collect();
    for _ in context.rounds("depth") {
        for depth in by_offset.iter_mut().chain(&mut by_cursor) {
            let done = measure(context, &instance.server, &depth.requests)?;
            depth.rounds.0.push(done);
        }
    }
    report_goals(context, &by_offset, &by_cursor);
    let report = &mut context.report;
    report.tables.push(table(instance, &by_offset, &by_cursor));
    report
        .plots
        .push(("search-depth", plot(&by_offset, &by_cursor)));
    Ok(())
}

/// The pages to measure; where there are not enough orders for the deepest one, the last page.
fn pages(instance: &Instance) -> Vec<u64> {
    let last_page = hot_orders(instance.filled.orders) / PAGE;
    let mut pages = DEPTHS.to_vec();
    pages.retain(|page| *page <= last_page);
    if !pages.contains(&DEEP) && last_page > 1 {
        pages.push(last_page);
    }
    pages
}

/// Follows cursors down the hot store. Returns a cursor to each of these pages but the first, which
/// has none.
fn walk(instance: &Instance, pages: &[u64]) -> Result<Vec<(u64, String)>, BenchError> {
    let account = &instance.filled.hot.account;
    let (mut cursors, mut passed, mut cursor) = (Vec::new(), 0, None::<String>);
    for page in pages.iter().filter(|page| **page > 1) {
        let target = (page - 1) * PAGE;
        while passed < target {
            let size = (target - passed).min(STRIDE);
            let body = match &cursor {
                Some(cursor) => json!({ "cursor": cursor, "size": size }),
                None => json!({ "size": size }),
            };
            let request = account.request(SEARCH, &body.to_string());
            let response = http::call(instance.server.address, &request)?
                .ok()?
                .json()?;
            let next = response.get("nextCursor").and_then(Value::as_str);
            cursor = Some(next.ok_or("a page has no next one")?.to_owned());
            passed += size;
        }
        cursors.extend(cursor.clone().map(|cursor| (*page, cursor)));
    }
    Ok(cursors)
}

fn table(instance: &Instance, by_offset: &[Depth], by_cursor: &[Depth]) -> Table {
    let millis = |rounds: Option<&Rounds>, figure: fn(&Round) -> Option<f64>| {
        median(rounds.and_then(|rounds| Spread::of(rounds.0.iter().filter_map(figure))))
    };
    let row = |offset: &Depth| {
        let cursor = by_cursor.iter().find(|depth| depth.page == offset.page);
        let cursor = cursor.map(|depth| &depth.rounds);
        let offset_rounds = Some(&offset.rounds);
        vec![
            number_of(offset.page),
            millis(offset_rounds, |r| r.p50),
            millis(offset_rounds, |r| r.p99),
            millis(cursor, |r| r.p50),
            millis(cursor, |r| r.p99),
        ]
    };
    let orders = number_of(instance.filled.orders);
    let head = [
        "page",
        "offset p50",
        "offset p99",
        "cursor p50",
        "cursor p99",
    ];
    let title = format!("search by depth, hot store, {orders} orders in all, ms");
    let mut table = Table::new(title, head);
    table.rows.extend(by_offset.iter().map(row));
    table
}

/// Compares the medians of the first page and the deepest one: the tails differ by chance alone.
fn report_goals(context: &mut Context, by_offset: &[Depth], by_cursor: &[Depth]) {
    let (Some(first), Some(deepest)) = (by_offset.first(), by_offset.last()) else {
        return;
    };
    let note = if deepest.page == DEEP {
        String::new()
    } else {
        format!("page {}, the deepest there is", deepest.page)
    };
    let median = |round: &Round| round.p50.unwrap_or_default();
    let slowdown = |depth: &Depth| depth.rounds.ratio(&first.rounds, median);
    let report = &mut context.report;
    report.find(Goal::DeepOffset, slowdown(deepest), note.clone());
    let cursor = by_cursor.last().and_then(slowdown);
    report.find(Goal::DeepCursor, cursor, note);
}

fn plot(by_offset: &[Depth], by_cursor: &[Depth]) -> Plot {
    let point = |depth: &Depth| Some((float(depth.page), tail(&depth.rounds)?.median));
    let series = |name: &str, depths: &[Depth]| Series {
        name: name.to_owned(),
        points: depths.iter().filter_map(point).collect(),
    };
    Plot {
        title: "Search: p99 against the depth of the page".to_owned(),
        x: "page of 20".to_owned(),
        y: "p99, ms".to_owned(),
        series: vec![
            series("by offset", by_offset),
            series("by cursor", by_cursor),
        ],
    }
}
