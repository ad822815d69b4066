//! Random commands: most are allowed by the order, some are not allowed for any sender.

use pressline_domain::event::Role;
use pressline_domain::fulfilment::{
    Command as TableCommand, MoveDecision, Tracking, allowed_actions, allowed_actions_of,
};
use pressline_domain::order::{Order, OrderKind};
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::value::Timestamp;

use super::command::{Command, CommandCase, Edit, Goods, ItemIndexes, Values};
use super::goods::{FILES, SKUS};
use crate::random::Random;

/// Maximum duration of a hold with an end, in milliseconds.
const LONGEST_HOLD: u64 = 2_000_000;

/// Steps of the clock between two commands, in milliseconds.
const PAUSES: [i64; 4] = [0, 1, 30_000, 1_500_000];

/// Returns the time until the next command, in milliseconds.
pub(super) fn pause(random: &mut Random) -> i64 {
    random.pick(&PAUSES).copied().unwrap_or_default()
}

/// Returns 1 to 4 goods.
pub(super) fn cart(random: &mut Random) -> Vec<Goods> {
    (0..=random.below(4)).map(|_| goods(random)).collect()
}

pub(super) fn kind(random: &mut Random) -> OrderKind {
    match random.one_in(4) {
        true => OrderKind::Label,
        false => OrderKind::Manual,
    }
}

fn goods(random: &mut Random) -> Goods {
    // Two of three items get exactly one file, which completes every product.
    let files: &[&str] = match random.one_in(3) {
        true => random.pick(&FILES).copied().unwrap_or_default(),
        false => &["https://example.com/front.png"],
    };
    Goods {
        sku: random.pick(&SKUS).copied().unwrap_or_default(),
        quantity: quantity(random),
        files,
    }
}

fn quantity(random: &mut Random) -> u32 {
    1 + u32::try_from(random.below(3)).unwrap_or(0)
}

/// Returns a random command about `order`, and its sender.
pub(super) fn given(random: &mut Random, order: &Order, now: Timestamp) -> CommandCase {
    // Stores and operators send most commands.
    let roles = [
        Role::Store,
        Role::Store,
        Role::Store,
        Role::Store,
        Role::Operator,
        Role::Operator,
        Role::Operator,
        Role::Operator,
        Role::Operator,
        Role::Service,
        Role::Carrier,
    ];
    let by = random.pick(&roles).copied().unwrap_or(Role::Store);
    let reason = (!random.one_in(10)).then_some("because");
    let plain = |command| CommandCase {
        command,
        by,
        reason,
        is_offered: false,
    };
    match by {
        Role::Service => plain(Command::Due),
        Role::Carrier if !random.one_in(8) => plain(about_a_parcel(random, order)),
        _ if random.one_in(5) => plain(any(random, order)),
        Role::Operator if !order.shipments.is_empty() && random.one_in(4) => {
            plain(about_a_parcel(random, order))
        }
        _ => offered(random, order, by, now).unwrap_or_else(|| plain(any(random, order))),
    }
}

/// Returns a command that the order allows for `by`; `None` if there is none.
fn offered(random: &mut Random, order: &Order, by: Role, now: Timestamp) -> Option<CommandCase> {
    let actions = allowed_actions(order, by, now);
    let mut action = random.pick(&actions)?.action;
    // Cancelling is made rarer, because it ends an order's life early.
    if action == TableCommand::Cancel && !random.one_in(3) {
        action = random.pick(&actions)?.action;
    }
    let can = |place: &usize| {
        let item = order.state.items.get(*place);
        item.is_some_and(|item| {
            let allowed = allowed_actions_of(order, item, by, now);
            allowed.iter().any(|allowed| allowed.action == action)
        })
    };
    let places: Vec<usize> = (0..order.state.items.len()).filter(can).collect();
    let items = random.one_in(2).then(|| some_of(random, places)).flatten();
    let command = of_action(random, order, action, items);
    let is_whole = command.named_items().is_none();
    Some(CommandCase {
        is_offered: is_whole && !may_be_refused(&command),
        command,
        by,
        reason: Some("because"),
    })
}

/// Returns whether an order that offers the command may still refuse its values.
fn may_be_refused(command: &Command) -> bool {
    matches!(
        command,
        // A value may not fit the order, and units of an item may be shipped already.
        Command::Update(_)
            | Command::Move {
                values: Values::Resolve { cancels: Some(_) },
                ..
            }
    )
}

fn of_action(
    random: &mut Random,
    order: &Order,
    action: TableCommand,
    items: ItemIndexes,
) -> Command {
    if let Some(rule) = action.rule().moving() {
        return Command::Move {
            command: action,
            items,
            values: values(random, rule.decision),
        };
    }
    match action {
        TableCommand::Update | TableCommand::UpdateLabel => Command::Update(edit(random, order)),
        TableCommand::ProcessNow => Command::ProcessNow,
        TableCommand::Answer => answer(random, items),
        TableCommand::WithdrawChange => Command::WithdrawChange,
        TableCommand::Decide => ruling(random, order),
        TableCommand::Ship => ship(random, order),
        // No order offers the other commands.
        _ => Command::Due,
    }
}

fn values(random: &mut Random, decision: MoveDecision) -> Values {
    match decision {
        MoveDecision::Plain | MoveDecision::Release => Values::None,
        MoveDecision::Hold => {
            let ends_in = random
                .one_in(2)
                .then(|| 1 + random.below(LONGEST_HOLD))
                .and_then(|millis| i64::try_from(millis).ok());
            Values::Hold { ends_in }
        }
        MoveDecision::Cancel => Values::Cancel {
            keep_fees: random.one_in(2),
        },
        MoveDecision::Need => Values::Need {
            fee: random.one_in(2).then_some("2.50"),
        },
        MoveDecision::Resolve => Values::Resolve {
            cancels: random.one_in(4).then(|| random.one_in(2)),
        },
    }
}

/// Returns any command, allowed or not.
fn any(random: &mut Random, order: &Order) -> Command {
    let actions: Vec<_> = TableCommand::ALL
        .into_iter()
        .filter(|action| action.rule().offer.is_some())
        .collect();
    let items = places(random, order);
    match random.below(16) {
        0 => Command::Due,
        1 => correction(random, order),
        2 | 3 => about_a_parcel(random, order),
        _ => {
            let action = random
                .pick(&actions)
                .copied()
                .unwrap_or(TableCommand::Update);
            of_action(random, order, action, items)
        }
    }
}

fn answer(random: &mut Random, items: ItemIndexes) -> Command {
    Command::Answer {
        items,
        text: Some(random.below(3).to_string()),
        accept: match random.below(4) {
            0 => Some(true),
            1 => Some(false),
            _ => None,
        },
    }
}

fn ruling(random: &mut Random, order: &Order) -> Command {
    match random.below(4) {
        0 => Command::Refuse,
        1 => Command::AskBack,
        _ => Command::Approve {
            edit: edit(random, order),
            keep_fees: random.one_in(2),
        },
    }
}

fn edit(random: &mut Random, order: &Order) -> Edit {
    let count = order.state.items.len();
    let place = random.index(count);
    match random.below(12) {
        0 => Edit::Email(random.below(3)),
        1 => Edit::Note(random.below(3)),
        2 if order.content.shipping_address.is_some() => Edit::City(random.below(3)),
        3 | 4 => Edit::Quantity(place, quantity(random)),
        5..=7 => Edit::Files(place, random.pick(&FILES).copied().unwrap_or_default()),
        8 => Edit::Sku(place, random.pick(&SKUS).copied().unwrap_or_default()),
        // An order keeps at least one item.
        9 if count > 1 => Edit::Remove(place),
        10 if count < 6 => Edit::Add(goods(random)),
        _ => Edit::Mockup(place, random.below(3)),
    }
}

fn ship(random: &mut Random, order: &Order) -> Command {
    let place = random.index(order.state.items.len());
    let units = random.one_in(2).then(|| vec![(place, quantity(random))]);
    Command::Ship {
        parcel: random.below(6),
        units,
    }
}

/// Returns a command about a parcel. `order` may not have such a parcel.
fn about_a_parcel(random: &mut Random, order: &Order) -> Command {
    let place = random.index(order.shipments.len());
    match random.below(7) {
        0 => Command::UpdateShipment {
            shipment: place,
            parcel: random.below(6),
        },
        1 => Command::Void(place),
        2 => Command::Track(place, Tracking::Returned),
        _ => Command::Track(place, Tracking::Delivered),
    }
}

fn correction(random: &mut Random, order: &Order) -> Command {
    let fees = [FeeType::Product, FeeType::Shipping, FeeType::Other];
    let amount = i64::try_from(random.below(900)).unwrap_or(0) - 450;
    Command::Correct {
        fee: random.pick(&fees).copied().unwrap_or(FeeType::Other),
        item: random
            .one_in(3)
            .then(|| random.index(order.state.items.len())),
        amount,
    }
}

/// Returns the positions of some items, or `None`.
fn places(random: &mut Random, order: &Order) -> ItemIndexes {
    if random.one_in(2) {
        return None;
    }
    some_of(random, (0..order.state.items.len()).collect())
}

fn some_of(random: &mut Random, mut places: Vec<usize>) -> ItemIndexes {
    places.retain(|_| random.one_in(2));
    Some(places).filter(|places| !places.is_empty())
}
