//! Times at which each order is placed and changed: the rows of `orders.csv` and `lives.csv`.

use pressline_domain::value::Timestamp;

/// CSV file with one row per order. The column `life` names the changes in [`LIVES`] to apply to
/// the order; without rows of this name, the order stays as created.
const ORDERS: &str = include_str!("orders.csv");
/// CSV file with a row per change to all orders with the same `life`. The column `tenth` is the
/// time from placement to change, in tenths of the order's age.
const LIVES: &str = include_str!("lives.csv");
const MINUTE: i64 = 60_000;

pub(super) const PLACE: &str = "place";

#[derive(Debug, Clone, Copy)]
pub(super) struct PlannedOrder {
    /// Index of the order's row in `orders.csv`, from 0. All steps of an order have the same index.
    pub(super) position: usize,
    pub(super) life: &'static str,
    pub(super) cart: &'static str,
    pub(super) person: &'static str,
    pub(super) has_label: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) at: Timestamp,
    pub(super) order: PlannedOrder,
    /// Kind of the step: [`PLACE`], or a value of the column `call` in [`LIVES`].
    pub(super) call: &'static str,
    pub(super) value: &'static str,
    pub(super) text: &'static str,
}

/// Returns the steps of all orders, sorted by time. No step is after `now`.
pub(super) fn steps(now: Timestamp) -> Vec<Step> {
    let mut steps: Vec<Step> = rows(ORDERS)
        .enumerate()
        .flat_map(|(position, row)| steps_of(now, position, row))
        .collect();
    // Stable sort: steps of an order with the same time keep their order.
    steps.sort_by_key(|step| step.at);
    steps
}

fn steps_of(now: Timestamp, position: usize, row: [&'static str; 5]) -> Vec<Step> {
    let [minutes_ago, life, cart, person, label] = row;
    // The file is part of the program and tested, so the default is never used.
    let age = MINUTE * minutes_ago.parse::<i64>().unwrap_or_default();
    let order = PlannedOrder {
        position,
        life,
        cart,
        person,
        has_label: !label.is_empty(),
    };
    let step = |tenth: i64, call, value, text| Step {
        at: now.plus_millis(age * tenth / 10 - age),
        order,
        call,
        value,
        text,
    };
    let further =
        rows::<5>(LIVES)
            .filter(|[name, ..]| *name == life)
            .map(|[_, tenth, call, value, text]| {
                step(tenth.parse().unwrap_or_default(), call, value, text)
            });
    std::iter::once(step(0, PLACE, "", ""))
        .chain(further)
        .collect()
}

/// Skips the header. Commas in the last of the `N` columns are part of its value.
pub(super) fn rows<const N: usize>(file: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    file.lines().skip(1).map(|line| {
        let mut fields = line.splitn(N, ',');
        std::array::from_fn(|_| fields.next().unwrap_or_default())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_order_has_a_time_and_a_life_with_known_calls() {
        let now = Timestamp::from_millis(1_767_225_600_000);
        let steps = steps(now);
        assert!(steps.iter().all(|step| step.at <= now));
        let placed = steps.iter().filter(|step| step.call == PLACE);
        assert!(placed.clone().all(|step| step.at < now));
        assert_eq!(placed.count(), 154);
        let lives: Vec<&str> = rows(LIVES).map(|[life, _, _, _, _]| life).collect();
        for [_, life, _, _, _] in rows(ORDERS) {
            let is_idle = ["cooling-off", "no-files", "ready"].contains(&life);
            assert!(is_idle || lives.contains(&life), "{life}");
        }
        for [_, _, call, _, _] in rows(LIVES) {
            assert!(
                ["ask", "move", "ship", "track", "update"].contains(&call),
                "{call}"
            );
        }
    }
}
