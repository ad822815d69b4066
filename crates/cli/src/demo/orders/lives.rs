//! When each order is placed, and what becomes of it.

use pressline_domain::time::Timestamp;

/// Orders of the past day.
const ORDERS: usize = 150;
/// Orders of four days ago that are late: their production has not begun.
const LATE: usize = 4;
/// Milliseconds.
const MINUTE: i64 = 60_000;
/// Minutes.
const DAY: i64 = 24 * 60;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Life {
    /// An item waits for its print files.
    NoFiles,
    /// The store may still change it.
    CoolingOff,
    Ready,
    /// Ready, with a product that no price list has.
    Unpriced,
    OnHold,
    Cancelled,
    /// In production.
    Started,
    /// In production; the store asks for another address.
    Changing,
    /// In production; the shop asks for a fee.
    FeeAsked,
    /// One parcel is sent, with a part of the units.
    Partial,
    Shipped,
    Delivered,
    Returned,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    Start,
    AskForFee,
    Hold,
    Cancel,
    ChangeAddress,
    /// A unit of the first item.
    ShipFirst,
    Ship,
    Deliver,
    Return,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Happening {
    /// It is placed, and will have this life.
    Placed(Life),
    Taken(Action),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) at: Timestamp,
    pub(super) order: usize,
    pub(super) what: Happening,
}

/// Lives of orders of the last hour, of the hours from 1 to 6, from 6 to 16 and before. Each list is
/// gone through again and again.
const LAST_HOUR: [Life; 6] = {
    use Life::{CoolingOff, NoFiles};
    [
        CoolingOff, CoolingOff, NoFiles, CoolingOff, CoolingOff, CoolingOff,
    ]
};
const MORNING: [Life; 12] = {
    use Life::{Cancelled, NoFiles, OnHold, Ready, Unpriced};
    [
        Ready, Ready, OnHold, Ready, Ready, Unpriced, Ready, Ready, Cancelled, Ready, Ready,
        NoFiles,
    ]
};
const NIGHT: [Life; 12] = {
    use Life::{Changing, FeeAsked, Partial, Ready, Shipped, Started};
    [
        Started, Started, Partial, Started, Ready, Changing, Shipped, Started, FeeAsked, Started,
        Shipped, Started,
    ]
};
const DAY_BEFORE: [Life; 12] = {
    use Life::{Cancelled, Delivered, Partial, Returned, Shipped};
    [
        Shipped, Delivered, Shipped, Shipped, Returned, Delivered, Shipped, Cancelled, Delivered,
        Shipped, Partial, Delivered,
    ]
};

pub(super) fn steps(now: Timestamp) -> Vec<Step> {
    let mut steps: Vec<Step> = (0..LATE)
        .map(|order| (order, 4 * DAY - 90 * as_minutes(order), Life::Ready))
        .chain((0..ORDERS).map(|place| {
            let age = age(place);
            (LATE + place, age, life(place, age))
        }))
        .flat_map(|(order, age, life)| steps_of(now, order, age, life))
        .collect();
    // Stable: what happens to an order at one moment stays in its order.
    steps.sort_by_key(|step| step.at);
    steps
}

fn as_minutes(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Minutes since an order was placed; the first ones are the oldest. More orders come in the day than at night.
fn age(place: usize) -> i64 {
    let (left, all) = (as_minutes(ORDERS - place), as_minutes(ORDERS));
    (DAY - 10) * left * left / (all * all) + 1
}

fn life(place: usize, age: i64) -> Life {
    let lives: &[Life] = match age {
        ..50 => &LAST_HOUR,
        50..360 => &MORNING,
        360..960 => &NIGHT,
        _ => &DAY_BEFORE,
    };
    let life = lives.get(place % lives.len());
    life.copied().unwrap_or(Life::Ready)
}

/// Returns what happens to one order, at tenths of its age.
fn steps_of(now: Timestamp, order: usize, age: i64, life: Life) -> Vec<Step> {
    let further: &[(i64, Action)] = match life {
        Life::NoFiles | Life::CoolingOff | Life::Ready | Life::Unpriced => &[],
        Life::OnHold => &[(3, Action::Hold)],
        Life::Cancelled => &[(2, Action::Cancel)],
        Life::Started => &[(5, Action::Start)],
        Life::Changing => &[(5, Action::Start), (8, Action::ChangeAddress)],
        Life::FeeAsked => &[(4, Action::Start), (6, Action::AskForFee)],
        Life::Partial => &[(4, Action::Start), (7, Action::ShipFirst)],
        Life::Shipped => &[(3, Action::Start), (6, Action::Ship)],
        Life::Delivered => &[(2, Action::Start), (4, Action::Ship), (9, Action::Deliver)],
        Life::Returned => &[(2, Action::Start), (4, Action::Ship), (9, Action::Return)],
    };
    let placed = now.plus_millis(-age * MINUTE);
    let further = further.iter();
    let further = further.map(|(tenth, action)| (*tenth, Happening::Taken(*action)));
    let all = std::iter::once((0, Happening::Placed(life))).chain(further);
    all.map(|(tenth, what)| Step {
        at: placed.plus_millis(age * MINUTE * tenth / 10),
        order,
        what,
    })
    .collect()
}
