//! What must hold of every step.

use super::super::fixture::*;
use super::commands::Given;
use pressline_domain::event::{NewEvent, Role};
use pressline_domain::fulfilment::*;
use pressline_domain::pricing::fees::{Bill, FeeType};

/// What may follow a command in the same change: files that became complete, the end of the window,
/// and what shipments say of an item.
const FOLLOWERS: [(Command, Role); 5] = [
    (Command::Due, Role::Service),
    (Command::Files, Role::Service),
    (Command::Ship, Role::Operator),
    (Command::Deliver, Role::Operator),
    (Command::Return, Role::Operator),
];

/// Checks that each item moved by a row of the table, and by what may follow it.
pub(super) fn moves_are_legal(before: &Snapshot, change: &Change, given: &Given, role: Role) {
    for item in &before.state.items {
        let Some(after) = change.order.state.item(item.id) else {
            assert!(matches!(given, Given::Update(_) | Given::Decide(_)));
            continue;
        };
        if after.position() == item.position() {
            continue;
        }
        let asked = before.state.asked(item.id).map(|asked| asked.before);
        let mut reached = vec![item.position()];
        let first = rows_of(given, role);
        reached.extend(ends(item.position(), &first, asked));
        let follow: Vec<_> = FOLLOWERS.iter().flat_map(|(c, r)| rows(*c, *r)).collect();
        for _ in 0..3 {
            let further: Vec<Position> = reached
                .iter()
                .flat_map(|position| ends(*position, &follow, None))
                .collect();
            reached.extend(further);
        }
        let is_legal = reached.contains(&after.position())
            // Of an early item on hold only the status changes that it returns to.
            || item.status == after.status && after.stage() == Stage::Early;
        assert!(
            is_legal,
            "{given:?}: {:?} to {:?}",
            item.position(),
            after.position()
        );
    }
}

fn rows_of(given: &Given, role: Role) -> Vec<&'static Transition> {
    let commands = given.commands().iter();
    commands.flat_map(|command| rows(*command, role)).collect()
}

/// The positions that these rows lead to.
fn ends(from: Position, rows: &[&'static Transition], asked: Option<ItemStatus>) -> Vec<Position> {
    let mut ends = Vec::new();
    for status in ItemStatus::ALL {
        if rows.iter().any(|row| row.leads(from, status, asked)) {
            let returns_to = status.is_aside().then(|| from.base());
            ends.push(Position { status, returns_to });
        }
    }
    ends
}

/// Checks the fees of an order.
pub(super) fn money_adds_up(order: &Snapshot) {
    let bill = order.bill().unwrap();
    let mut total = 0;
    for fee in FeeType::ALL {
        let lines = bill.lines().iter().filter(|line| line.fee == fee);
        let sum: i64 = lines.map(|line| line.amount).sum();
        assert!(sum >= 0, "{fee:?} is {sum}");
        assert_eq!(bill.fee(fee).map_or(0, |fee| fee.minor_units()), sum);
        total += sum;
    }
    assert_eq!(bill.total().minor_units(), total);
    if order.state.is_cancelled() {
        assert_eq!(order.content.bill, Bill::default());
        assert!(order.is_priced());
        return;
    }
    for item in &order.state.items {
        let own = order.content.bill.lines().iter();
        let is_charged = own.filter(|line| line.item == Some(item.id)).count() > 0;
        let is_cancelled = item.status == ItemStatus::Cancelled;
        assert_eq!(is_charged, !is_cancelled, "{:?}", item.status);
    }
    // What is early is priced as if it were placed now.
    if order.state.is_early() {
        assert_eq!(order.content.bill, bill_of(order.priced_items()));
    }
}

/// Checks that an event can be stored as JSON.
pub(super) fn event_is_kept_by_serde(event: &NewEvent) {
    let text = serde_json::to_string(event).unwrap();
    assert_eq!(&serde_json::from_str::<NewEvent>(&text).unwrap(), event);
}
