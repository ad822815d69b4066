//! How the p99 of searches grows with the size of the database.

use super::{Cell, Instance, float, number_of, tail};
use crate::context::Context;
use crate::figures::Spread;
use crate::goals::Goal;
use crate::plot::{Plot, Series};
use crate::report::{Table, spread};

/// Adds the table, the chart and the figures of the goals. The instances are in order of size.
pub(super) fn report(context: &mut Context, instances: &[Instance]) {
    let (Some(smallest), Some(largest)) = (instances.first(), instances.last()) else {
        return;
    };
    let mut growth = Maximum::default();
    let mut slowest = Maximum::default();
    for (small, large) in smallest.cells.iter().zip(&largest.cells) {
        let p99 = |round: &crate::figures::Round| round.p99.unwrap_or_default();
        let name = format!("{}, {}", small.name, store_name(small));
        // A fuller page takes longer, whatever the size of the database is. A few further matches
        // of rare words make no difference.
        if small.found.abs_diff(large.found) * 50 <= small.found {
            growth.take(large.rounds.ratio(&small.rounds, p99), &name);
        }
        slowest.take(tail(&large.rounds), &name);
    }
    let report = &mut context.report;
    report.tables.push(table(instances));
    report.plots.push(("search-size", plot(instances)));
    let size = number_of(largest.filled.orders);
    for (goal, worst) in [(Goal::SearchGrowth, growth), (Goal::SearchTail, slowest)] {
        let note = format!("the worst: {}; {size} orders", worst.name);
        report.find(goal, worst.figure, note);
    }
}

/// The figure with the greatest median so far.
#[derive(Default)]
struct Maximum {
    figure: Option<Spread>,
    name: String,
}

impl Maximum {
    fn take(&mut self, figure: Option<Spread>, name: &str) {
        let Some(figure) = figure else { return };
        if self.figure.is_none_or(|worst| worst.median < figure.median) {
            (self.figure, self.name) = (Some(figure), name.to_owned());
        }
    }
}

fn store_name(cell: &Cell) -> &'static str {
    if cell.hot { "hot" } else { "cold" }
}

/// The cells at this index of each instance, with the number of orders.
fn cells_at(instances: &[Instance], at: usize) -> impl Iterator<Item = (u64, &Cell)> {
    instances
        .iter()
        .filter_map(move |instance| Some((instance.filled.orders, instance.cells.get(at)?)))
}

fn table(instances: &[Instance]) -> Table {
    let sizes = instances
        .iter()
        .map(|instance| format!("{} orders", number_of(instance.filled.orders)));
    let first = instances.first().map(|instance| instance.cells.as_slice());
    let row = |(at, cell): (usize, &Cell)| {
        let tails =
            cells_at(instances, at).filter_map(|(_, cell)| Some(spread(Some(tail(&cell.rounds)?))));
        [cell.name.to_owned(), store_name(cell).to_owned()]
            .into_iter()
            .chain(tails)
            .collect()
    };
    Table {
        title: "search, p99 in ms, one connection".to_owned(),
        head: ["search".to_owned(), "store".to_owned()]
            .into_iter()
            .chain(sizes)
            .collect(),
        rows: first
            .unwrap_or_default()
            .iter()
            .enumerate()
            .map(row)
            .collect(),
    }
}

fn plot(instances: &[Instance]) -> Plot {
    let first = instances.first().map(|instance| instance.cells.as_slice());
    let series = |(at, cell): (usize, &Cell)| Series {
        name: cell.name.to_owned(),
        points: cells_at(instances, at)
            .filter_map(|(size, cell)| Some((float(size), tail(&cell.rounds)?.median)))
            .collect(),
    };
    Plot {
        title: "Search: p99 against the size of the database".to_owned(),
        x: "orders (30 % in the hot store, which is searched)".to_owned(),
        y: "p99, ms".to_owned(),
        series: first
            .unwrap_or_default()
            .iter()
            .enumerate()
            .filter(|(_, cell)| cell.hot)
            .map(series)
            .collect(),
    }
}
