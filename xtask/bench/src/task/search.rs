//! Searches of every kind, in databases of several sizes, and pages at several depths.

use serde_json::{Value, json};

use crate::Failure;
use crate::context::{Context, Filled};
use crate::figures::{Rounds, Spread};
use crate::fill::{SERIES, place_of};
use crate::goals::Goal;
use crate::http;
use crate::load::Load;
use crate::plot::{Plot, Series};
use crate::progress::say;
use crate::report::{Table, number};
use crate::request::SEARCH;
use crate::sample::Sample;
use crate::service::{Server, Store};
use crate::statements::hot_orders;
use fastrand::Rng;

use super::existing::hot_index;

/// The smallest database, which the others are compared with.
const SMALLEST: u64 = 10_000;
/// Searches of one kind in a round.
const SEARCHES: u64 = 200;
/// Orders on a page.
const PAGE: u64 = 20;
/// Orders on a page while walking to a depth.
const STRIDE: u64 = 100;
/// The pages whose depth is measured.
const DEPTHS: [u64; 5] = [1, 10, 100, 1_000, 10_000];
/// The page that the goals are about.
const DEEP: u64 = 10_000;
const OK: u16 = 200;

/// A kind of search. Some name a text that a few orders have, some one that very many have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Page,
    OrderId,
    Email,
    Phone,
    Sku,
    Name,
}

const KINDS: [(Kind, &str); 6] = [
    (Kind::Page, "newest page"),
    (Kind::OrderId, "order id"),
    (Kind::Email, "email"),
    (Kind::Phone, "phone"),
    (Kind::Sku, "SKU"),
    (Kind::Name, "name"),
];

/// A filled database with its server.
struct Stage {
    filled: Filled,
    server: Server,
    /// What was measured, for each kind and store.
    cells: Vec<Cell>,
}

struct Cell {
    name: &'static str,
    hot: bool,
    requests: Vec<Vec<u8>>,
    rounds: Rounds,
}

/// Measures, and notes what was found.
pub(crate) fn run(context: &mut Context) -> Result<(), Failure> {
    let largest = context.options.search_orders();
    let mut sizes = vec![SMALLEST, 100_000, 1_000_000, largest];
    sizes.retain(|size| *size <= largest);
    sizes.sort_unstable();
    sizes.dedup();
    say(&format!("search: {sizes:?} orders"));
    let mut stages = sizes
        .into_iter()
        .map(|size| stage(context, size))
        .collect::<Result<Vec<_>, _>>()?;
    for round in 0..context.options.rounds() {
        say(&format!(
            "search: round {} of {}",
            round + 1,
            context.options.rounds()
        ));
        let count = stages.first().map_or(0, |stage| stage.cells.len());
        for at in 0..count {
            for stage in &mut stages {
                let Some(cell) = stage.cells.get_mut(at) else {
                    continue;
                };
                let done = measure(context, &stage.server, &cell.requests)?;
                cell.rounds.0.push(done);
            }
        }
    }
    note(context, &stages);
    let Some(stage) = stages.last() else {
        return Ok(());
    };
    depth(context, stage)
}

fn stage(context: &Context, orders: u64) -> Result<Stage, Failure> {
    let filled = context.filled(&format!("search_{orders}"), orders)?;
    let server = context.service(&filled.database).serve()?;
    let mut cells = Vec::new();
    for (kind, name) in KINDS {
        for hot in [true, false] {
            let cell = Cell {
                name,
                hot,
                requests: requests(context, &filled, kind, hot),
                rounds: Rounds::default(),
            };
            // What the fill wrote must be what the service finds, or there would be nothing to
            // measure.
            let request = cell.requests.first().ok_or("there is no search")?;
            let found = http::call(server.address, request)?.ok()?.json()?;
            if found
                .get("data")
                .and_then(Value::as_array)
                .is_none_or(Vec::is_empty)
            {
                return Err(format!(
                    "a search by {name} found nothing in {} orders",
                    filled.orders
                )
                .into());
            }
            measure(context, &server, &cell.requests)?;
            cells.push(cell);
        }
    }
    Ok(Stage {
        filled,
        server,
        cells,
    })
}

fn measure(
    context: &Context,
    server: &Server,
    requests: &[Vec<u8>],
) -> Result<crate::figures::Round, Failure> {
    // One at a time: how long a search takes, not how many fit beside each other.
    let duration = context.duration() * 2;
    let load = Load {
        address: server.address,
        connections: 1,
        duration,
        requests,
        repeat: false,
    };
    context.measure(server, &load, OK)
}

fn requests(context: &Context, filled: &Filled, kind: Kind, hot: bool) -> Vec<Vec<u8>> {
    let mut random = Rng::with_seed(0x7365_6172 + u64::from(hot));
    let store: &Store = if hot { &filled.hot } else { &filled.cold };
    let request = |_| {
        let index = if hot {
            hot_index(random.u64(..hot_orders(filled.orders)))
        } else {
            cold(&mut random, filled.orders)
        };
        let sample = context.samples.order(SERIES, index);
        store
            .account
            .request(SEARCH, &body(kind, &sample).to_string())
    };
    (0..SEARCHES).map(request).collect()
}

/// The index of an order of the cold store, which is the second one.
fn cold(random: &mut Rng, orders: u64) -> u64 {
    loop {
        let index = random.u64(..orders);
        if place_of(index, crate::context::STORES).0 == 1 {
            return index;
        }
    }
}

fn body(kind: Kind, sample: &Sample) -> Value {
    let address = &sample.shipping_address;
    let key = match kind {
        Kind::Page => return json!({ "size": PAGE }),
        Kind::OrderId => sample.order_id.clone(),
        Kind::Email => address.email.clone(),
        Kind::Phone => address.phone.replace(' ', ""),
        Kind::Sku => sample
            .line_items
            .first()
            .map(|item| item.sku.clone())
            .unwrap_or_default(),
        Kind::Name => format!("{} {}", address.first_name, address.last_name),
    };
    json!({ "searchKey": key, "size": PAGE })
}

fn note(context: &mut Context, stages: &[Stage]) {
    let (Some(first), Some(last)) = (stages.first(), stages.last()) else {
        return;
    };
    let mut table = Table {
        title: "search, p99 in ms, one connection".to_owned(),
        ..Table::default()
    };
    table.head = vec!["search".to_owned(), "store".to_owned()];
    table.head.extend(
        stages
            .iter()
            .map(|stage| format!("{} orders", number_of(stage.filled.orders))),
    );
    let (mut worst_ratio, mut worst_tail) = (Worst::default(), Worst::default());
    let mut plot = Plot {
        title: "Search: p99 against the size of the database".to_owned(),
        x: "orders (30 % in the hot store, which is searched)".to_owned(),
        y: "p99, ms".to_owned(),
        series: Vec::new(),
    };
    for (at, cell) in first.cells.iter().enumerate() {
        let cells: Vec<(u64, &Cell)> = stages
            .iter()
            .filter_map(|stage| Some((stage.filled.orders, stage.cells.get(at)?)))
            .collect();
        let store = if cell.hot { "hot" } else { "cold" };
        let name = format!("{}, {store}", cell.name);
        let mut row = vec![cell.name.to_owned(), store.to_owned()];
        row.extend(
            cells
                .iter()
                .filter_map(|(_, cell)| Some(crate::report::spread(&tail(&cell.rounds)?))),
        );
        table.rows.push(row);
        if let Some(cell_of_last) = last.cells.get(at) {
            let ratio = cell_of_last
                .rounds
                .ratio(&cell.rounds, |round| round.p99.unwrap_or_default());
            worst_ratio.take(ratio, &name);
            worst_tail.take(tail(&cell_of_last.rounds), &name);
        }
        if cell.hot {
            let points = cells
                .iter()
                .filter_map(|(size, cell)| Some((float(*size), tail(&cell.rounds)?.median)));
            plot.series.push(Series {
                name: cell.name.to_owned(),
                points: points.collect(),
            });
        }
    }
    let report = &mut context.report;
    report.tables.push(table);
    report.plots.push(("search-size", plot));
    let size = number_of(last.filled.orders);
    report.find(
        Goal::SearchGrowth,
        worst_ratio.figure,
        format!("the worst: {}; {size} orders", worst_ratio.name),
    );
    report.find(
        Goal::SearchTail,
        worst_tail.figure,
        format!("the worst: {}; {size} orders", worst_tail.name),
    );
}

/// The figure with the greatest median so far.
#[derive(Default)]
struct Worst {
    figure: Option<Spread>,
    name: String,
}

impl Worst {
    fn take(&mut self, figure: Option<Spread>, name: &str) {
        let Some(figure) = figure else { return };
        if self.figure.is_none_or(|worst| worst.median < figure.median) {
            (self.figure, self.name) = (Some(figure), name.to_owned());
        }
    }
}

fn tail(rounds: &Rounds) -> Option<Spread> {
    Spread::of(rounds.0.iter().filter_map(|round| round.p99))
}

fn number_of(count: u64) -> String {
    number(float(count))
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a count of orders is far below 2^52"
)]
fn float(count: u64) -> f64 {
    count as f64
}

/// Pages at several depths, by offset and by cursor.
fn depth(context: &mut Context, stage: &Stage) -> Result<(), Failure> {
    let last_page = hot_orders(stage.filled.orders) / PAGE;
    let mut pages: Vec<u64> = DEPTHS
        .into_iter()
        .filter(|page| *page <= last_page)
        .collect();
    if !pages.contains(&DEEP) && last_page > 1 {
        pages.push(last_page);
    }
    let deepest = pages.last().copied().unwrap_or(1);
    let account = &stage.filled.hot.account;
    let cursors = walk(stage, &pages)?;
    let request = |body: Value| vec![account.request(SEARCH, &body.to_string()); 100];
    let offset: Vec<_> = pages
        .iter()
        .map(|page| request(json!({ "page": page, "size": PAGE })))
        .collect();
    let cursor: Vec<_> = cursors
        .iter()
        .map(|(_, c)| request(json!({ "cursor": c, "size": PAGE })))
        .collect();
    let (mut by_offset, mut by_cursor) = (
        vec![Rounds::default(); offset.len()],
        vec![Rounds::default(); cursor.len()],
    );
    for round in 0..context.options.rounds() {
        say(&format!(
            "depth: round {} of {}",
            round + 1,
            context.options.rounds()
        ));
        for (requests, rounds) in offset
            .iter()
            .zip(&mut by_offset)
            .chain(cursor.iter().zip(&mut by_cursor))
        {
            rounds.0.push(measure(context, &stage.server, requests)?);
        }
    }
    let mut table = Table {
        title: format!(
            "search by depth, hot store, {} orders in all, ms",
            number_of(stage.filled.orders)
        ),
        head: [
            "page",
            "offset p50",
            "offset p99",
            "cursor p50",
            "cursor p99",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: Vec::new(),
    };
    let millis = |rounds: Option<&Rounds>, figure: fn(&crate::figures::Round) -> Option<f64>| {
        let spread = rounds.and_then(|rounds| Spread::of(rounds.0.iter().filter_map(figure)));
        spread.map_or_else(|| "–".to_owned(), |spread| number(spread.median))
    };
    for (page, rounds) in pages.iter().zip(&by_offset) {
        let cursor = cursors
            .iter()
            .zip(&by_cursor)
            .find(|((at, _), _)| at == page)
            .map(|(_, rounds)| rounds);
        table.rows.push(vec![
            number_of(*page),
            millis(Some(rounds), |r| r.p50),
            millis(Some(rounds), |r| r.p99),
            millis(cursor, |r| r.p50),
            millis(cursor, |r| r.p99),
        ]);
    }
    note_depth(
        context,
        (&pages, &by_offset),
        (&cursors, &by_cursor),
        deepest,
    );
    context.report.tables.push(table);
    Ok(())
}

fn note_depth(
    context: &mut Context,
    (pages, by_offset): (&[u64], &[Rounds]),
    (cursors, by_cursor): (&[(u64, String)], &[Rounds]),
    deepest: u64,
) {
    // The medians of single searches: the tails at one depth and another differ by chance alone.
    let median = |round: &crate::figures::Round| round.p50.unwrap_or_default();
    let note = if deepest == DEEP {
        String::new()
    } else {
        format!("page {deepest}, the deepest there is")
    };
    let report = &mut context.report;
    if let (Some(first), Some(last)) = (by_offset.first(), by_offset.last()) {
        report.find(Goal::DeepOffset, last.ratio(first, median), note.clone());
        let cursor = by_cursor.last().and_then(|deep| deep.ratio(first, median));
        report.find(Goal::DeepCursor, cursor, note);
    }
    let points = |places: &[u64], rounds: &[Rounds]| {
        let point = |(page, rounds): (&u64, &Rounds)| Some((float(*page), tail(rounds)?.median));
        places.iter().zip(rounds).filter_map(point).collect()
    };
    let cursor_pages: Vec<u64> = cursors.iter().map(|(page, _)| *page).collect();
    let series = vec![
        Series {
            name: "by offset".to_owned(),
            points: points(pages, by_offset),
        },
        Series {
            name: "by cursor".to_owned(),
            points: points(&cursor_pages, by_cursor),
        },
    ];
    let title = "Search: p99 against the depth of the page".to_owned();
    report.plots.push((
        "search-depth",
        Plot {
            title,
            x: "page of 20".to_owned(),
            y: "p99, ms".to_owned(),
            series,
        },
    ));
}

/// Follows cursors down the hot store; answers those that lead to the pages asked for.
fn walk(stage: &Stage, pages: &[u64]) -> Result<Vec<(u64, String)>, Failure> {
    let account = &stage.filled.hot.account;
    let (mut cursors, mut passed, mut cursor) = (Vec::new(), 0, None::<String>);
    for page in pages.iter().filter(|page| **page > 1) {
        let target = (page - 1) * PAGE;
        while passed < target {
            let size = (target - passed).min(STRIDE);
            let body = match &cursor {
                Some(cursor) => json!({ "cursor": cursor, "size": size }),
                None => json!({ "size": size }),
            };
            let answer = http::call(
                stage.server.address,
                &account.request(SEARCH, &body.to_string()),
            )?
            .ok()?
            .json()?;
            let next = answer
                .get("nextCursor")
                .and_then(Value::as_str)
                .ok_or("a page has no next one")?;
            cursor = Some(next.to_owned());
            passed += size;
        }
        cursors.extend(cursor.clone().map(|cursor| (*page, cursor)));
    }
    Ok(cursors)
}
