//! Orders that exist: updates, and finding one by its id, each against pgbench.

use serde_json::json;

use crate::BenchError;
use crate::context::{Context, Filled, in_time};
use crate::figures::Rounds;
use crate::fill::{HOT_PERCENT, SERIES};
use crate::goals::Goal;
use crate::load::Load;
use crate::options::Task;
use crate::pgbench::Script;
use crate::progress::say;
use crate::report::Table;
use crate::request::{SEARCH, UPDATE};
use crate::sample::order_id;
use crate::service::Server;
use crate::statements::{self, Statements, hot_orders};
use fastrand::Rng;

use super::create::best_clients;

const CONNECTIONS: usize = 32;
/// More a second than the service takes.
const MAX_RATE: u64 = 12_000;
const OK: u16 = 200;
const PGBENCH: &str = "existing_pgbench";

/// Measures, and adds the figures to the report.
pub(crate) fn run(context: &mut Context) -> Result<(), BenchError> {
    let filled = context.filled("existing", context.options.other_orders())?;
    context.cluster.create(PGBENCH, Some(&filled.database))?;
    context.cluster.run(PGBENCH, statements::SEQUENCE)?;
    let server = context.service(&filled.database).serve()?;
    let reference = filled.hot.reference();
    let statements = Statements::new(&context.samples, &reference)?;
    let (get, update) = (
        statements.get(filled.orders),
        statements.update(filled.orders)?,
    );
    if context.options.wants(Task::Get) {
        compare(context, &filled, &server, Kind::Get, &get)?;
    }
    if context.options.wants(Task::Update) {
        compare(context, &filled, &server, Kind::Update, &update)?;
    }
    Ok(())
}

#[derive(Clone, Copy)]
enum Kind {
    Get,
    Update,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Update => "update",
        }
    }

    fn goal(self) -> Goal {
        match self {
            Self::Get => Goal::Get,
            Self::Update => Goal::Update,
        }
    }
}

fn compare(
    context: &mut Context,
    filled: &Filled,
    server: &Server,
    kind: Kind,
    script: &Script,
) -> Result<(), BenchError> {
    let name = kind.name();
    say(name);
    let clients = best_clients(context, PGBENCH, script)?;
    let connections = context.options.connections(CONNECTIONS);
    let (mut served, mut pgbench) = (Rounds::default(), Rounds::default());
    for round in context.rounds(name) {
        let duration = context.duration();
        // Each of the two is the first in some rounds, because the order may matter.
        for turn in [round, round + 1] {
            if turn % 2 == 0 {
                let done = context.repeats.measure(|again| {
                    let requests = requests(context, filled, kind, (round, again));
                    context.cluster.settle()?;
                    let load = Load::once(server.address, connections, duration, &requests);
                    context.measure(server, &load, OK)
                })?;
                served.0.push(done);
            } else {
                context.cluster.settle()?;
                let place = (&context.cluster, PGBENCH);
                let done = context.pgbench.run(script, place, clients, duration)?;
                pgbench.0.push(done);
            }
        }
    }
    let rows = [
        (format!("pressline, {connections} connections"), &served),
        (format!("pgbench, one CTE, {clients} clients"), &pgbench),
    ];
    let title = format!("{name}, {} orders", filled.orders);
    context.report.tables.push(Table::of_rounds(title, rows));
    context
        .report
        .find(kind.goal(), served.ratio(&pgbench, |round| round.rate), "");
    Ok(())
}

/// Requests about random orders of the hot store, the same in every run. `again` is not empty if the
/// round is measured again.
fn requests(
    context: &Context,
    filled: &Filled,
    kind: Kind,
    (round, again): (usize, &str),
) -> Vec<Vec<u8>> {
    let round = round as u64;
    let mut random = Rng::with_seed(0x6765_7400 + round);
    let hot = hot_orders(filled.orders);
    let account = &filled.hot.account;
    let request = |number| {
        let order_id = order_id(SERIES, hot_index(random.u64(..hot)));
        match kind {
            Kind::Get => account.request(SEARCH, &json!({ "searchKey": order_id }).to_string()),
            Kind::Update => {
                let series = format!("U{again}");
                let other = context.samples.order(&series, (round << 32) + number);
                account.request(UPDATE, &other.update_of(&order_id))
            }
        }
    };
    (0..in_time(MAX_RATE, context.duration()))
        .map(request)
        .collect()
}

/// Which order of the fill is the hot store's order `j`, from 0.
pub(crate) fn hot_index(j: u64) -> u64 {
    j / HOT_PERCENT * 100 + j % HOT_PERCENT
}
