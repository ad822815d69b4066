//! Random lives of orders of two stores, step by step.

use std::collections::BTreeMap;

use pressline_domain::event::Role;
use pressline_domain::fulfilment::{Command as TableCommand, ItemStatus, allowed_actions};
use pressline_domain::order::{Order, OrderKind};
use pressline_domain::runtime::Clock as _;
use pressline_domain::store::Store;
use pressline_domain::value::Timestamp;

use super::command::{Command, CommandCase, Edit, Goods, items_at};
use super::drafts::order_draft;
use super::shop::{Denied, Outcome, Shop, caller};
use super::table::MoveCase;
use super::{generate, history, money, state};
use crate::check::{holds, same};
use crate::random::Random;
use crate::{CaseError, CaseResult};

/// Cooling-off windows of stores, in seconds.
const WINDOWS: [u32; 3] = [0, 60, 3600];
/// Number of orders that live in parallel.
const ORDERS: usize = 5;
/// Longer than every window and hold, in milliseconds.
const DAY: i64 = 24 * 60 * 60 * 1000;

/// A store and its number of events.
pub(super) struct StoreState {
    pub(super) store: Store,
    events: u64,
}

pub(super) struct Life {
    /// Index in `stores`.
    pub(super) store: usize,
    kind: OrderKind,
    cart: Vec<Goods>,
    /// All versions, as returned by the writes.
    versions: Vec<Order>,
    /// End of the service's lease on the due order; `None` without a lease.
    pub(super) taken_until: Option<Timestamp>,
}

pub(super) struct Lives<'a> {
    pub(super) shop: &'a Shop,
    stores: Vec<StoreState>,
    pub(super) orders: Vec<Life>,
    random: Random,
    /// Number of changes by type of event.
    pub(super) seen: BTreeMap<&'static str, u32>,
}

impl Life {
    pub(super) fn current(&self) -> Result<&Order, CaseError> {
        let latest = self.versions.last();
        latest.ok_or_else(|| CaseError::new("an order without a version"))
    }
}

impl<'a> Lives<'a> {
    /// Adds two stores; `number` makes their prefixes unique.
    pub(super) async fn begin(
        shop: &'a Shop,
        number: u64,
        mut random: Random,
    ) -> Result<Self, CaseError> {
        let mut stores = Vec::new();
        for letter in ["A", "B"] {
            let window = random.pick(&WINDOWS).copied().unwrap_or_default();
            let store = shop.add_store(&format!("{letter}{number}"), window).await?;
            stores.push(StoreState { store, events: 0 });
        }
        Ok(Self {
            shop,
            stores,
            orders: Vec::new(),
            random,
            seen: BTreeMap::new(),
        })
    }

    pub(super) fn now(&self) -> Timestamp {
        self.shop.clock.now()
    }

    pub(super) async fn step(&mut self) -> CaseResult {
        self.shop.clock.advance(generate::pause(&mut self.random));
        if self.orders.len() < ORDERS || self.random.one_in(40) {
            return self.place().await;
        }
        let place = self.random.index(self.orders.len());
        match self.random.below(20) {
            0 => self.sweep().await,
            1 => self.repeat_creation(place).await,
            _ => self.command(place).await,
        }
    }

    async fn place(&mut self) -> CaseResult {
        let (kind, cart) = (
            generate::kind(&mut self.random),
            generate::cart(&mut self.random),
        );
        let store = self.random.index(self.stores.len());
        let order_id = format!("T-{}", self.orders.len());
        let placed = self.create(store, kind, &order_id, &cart).await?;
        holds("a new order is no replay", !placed.replayed)?;
        let counted = self.store_mut(store)?;
        counted.events += 1;
        let (events, window) = (counted.events, counted.store.settings.cooling_off_seconds);
        let order = placed.order;
        same(
            "sequence of a new order",
            &order.state.last_sequence,
            &events,
        )?;
        same(
            "its window",
            &Some(order.state.cooling_off_seconds),
            &window,
        )?;
        state::check_placed(&order, self.now())?;
        money::check_fees(&order)?;
        self.count("order.created");
        self.orders.push(Life {
            store,
            kind,
            cart,
            versions: vec![order],
            taken_until: None,
        });
        Ok(())
    }

    async fn create(
        &self,
        store: usize,
        kind: OrderKind,
        order_id: &str,
        cart: &[Goods],
    ) -> Result<pressline_domain::order::Placed, CaseError> {
        let draft = order_draft(order_id, kind, cart);
        let (service, store) = (&self.shop.service, &self.store(store)?.store);
        let by = caller(Role::Store);
        Ok(match kind {
            OrderKind::Manual => service.place.create(store, &draft, &by).await?,
            OrderKind::Label => service.place.create_label(store, &draft, &by).await?,
        })
    }

    /// Repeats the request that created the order.
    async fn repeat_creation(&mut self, place: usize) -> CaseResult {
        let life = self.life(place)?;
        let before = life.current()?;
        let order_id = before.content.order_id.clone();
        let again = self
            .create(life.store, life.kind, &order_id, &life.cart)
            .await?;
        holds("a repeated creation is a replay", again.replayed)?;
        self.is_unchanged(place).await
    }

    async fn command(&mut self, place: usize) -> CaseResult {
        let (shop, now) = (self.shop, self.now());
        let before = self.life(place)?.current()?.clone();
        let given = generate::given(&mut self.random, &before, now);
        let what = format!("{} at {now:?}: {given:?}", before.content.order_id);
        let store = self.store(self.life(place)?.store)?.store.clone();
        let outcome = shop
            .give(&store, &before, &given)
            .await
            .map_err(|error| error.in_context(&what));
        let checked = match outcome? {
            Outcome::Done { order, is_replay } if order.state.version != before.state.version => {
                holds("a replay changes nothing", !is_replay).map(|()| Some(*order))
            }
            Outcome::Done { .. } => Ok(None),
            Outcome::Denied(denied) => check_denial(&before, &given, &denied, now).map(|()| None),
        };
        let checked = match checked {
            Ok(Some(order)) => self.changed(place, &given, order).await,
            Ok(None) => self.is_unchanged(place).await,
            Err(error) => Err(error),
        };
        checked.map_err(|error| error.in_context(&what))
    }

    /// Checks the change of the order at `place` and records its version.
    pub(super) async fn changed(
        &mut self,
        place: usize,
        given: &CommandCase,
        order: Order,
    ) -> CaseResult {
        let before = self.life(place)?.current()?.clone();
        self.check_change(place, given, &before, &order).await?;
        self.keep(place, order)?;
        if given.command.is_idempotent() && self.random.one_in(3) {
            self.repeat(place, given, &before).await?;
        }
        self.check_earlier(place).await
    }

    async fn check_change(
        &mut self,
        place: usize,
        given: &CommandCase,
        before: &Order,
        order: &Order,
    ) -> CaseResult {
        let (shop, now) = (self.shop, self.now());
        state::check_change(before, order, now)?;
        state::check_order(order)?;
        money::check_fees(order)?;
        let named = items_at(before, &given.command.named_items());
        let moved = MoveCase {
            before,
            after: order,
            rows: given.command.row()?.moves,
            named,
            by: given.by,
            now,
        };
        same("moves outside the table", &moved.outside(), &Vec::new())?;
        check_offered(before, given, now)?;
        // Updates and approvals may price the items again.
        let prices = matches!(given.command, Command::Update(_) | Command::Approve { .. });
        if !prices && !order.state.is_early() {
            money::check_kept_lines(before, order)?;
        }
        let life = self.life(place)?;
        let counted = self.store(life.store)?;
        same(
            "sequence",
            &order.state.last_sequence,
            &(counted.events + 1),
        )?;
        let order_id = &order.content.order_id;
        let stored = shop.stored(&counted.store, order_id).await?;
        same("as stored", &stored, order)?;
        let events = history::events(shop, &counted.store, order, 1).await?;
        let event = events.first().ok_or_else(|| CaseError::new("no event"))?;
        let kind = event.event.kind.as_str();
        let events = given.command.row()?.events;
        let is_expected = events.split_whitespace().any(|event| event == kind);
        holds(&format!("the event is {kind}"), is_expected)?;
        same("who", &event.event.actor, &caller(given.by).actor)?;
        self.count(kind);
        Ok(())
    }

    /// Repeats a command and checks that nothing changes.
    async fn repeat(&mut self, place: usize, given: &CommandCase, seen: &Order) -> CaseResult {
        let store = self.store(self.life(place)?.store)?.store.clone();
        self.shop.give(&store, seen, given).await?;
        let unchanged = self.is_unchanged(place).await;
        unchanged.map_err(|error| error.in_context("the same again"))
    }

    /// Checks an earlier version, and the order at an earlier time.
    async fn check_earlier(&mut self, place: usize) -> CaseResult {
        let count = self.life(place)?.versions.len();
        let version = self.random.index(count);
        let life = self.life(place)?;
        let store = &self.store(life.store)?.store;
        if let Some(order) = life.versions.get(version) {
            history::check_version(self.shop, store, order).await?;
        }
        history::check_snapshot(self.shop, store, &life.versions, version).await
    }

    /// Checks that the stored order still is the latest recorded version.
    async fn is_unchanged(&self, place: usize) -> CaseResult {
        let life = self.life(place)?;
        let latest = life.current()?;
        let store = &self.store(life.store)?.store;
        let stored = self.shop.stored(store, &latest.content.order_id).await?;
        let (stored, latest) = (history::without_due(&stored), history::without_due(latest));
        same("the unchanged order", &stored, &latest)
    }

    /// Advances the clock beyond every window and hold, and checks the complete history of all
    /// orders.
    pub(super) async fn end(&mut self) -> CaseResult {
        self.shop.clock.advance(DAY);
        self.sweep().await?;
        same("what is due after all", &self.due_orders()?, &Vec::new())?;
        let mut sequences = vec![Vec::new(); self.stores.len()];
        let size = 1 + i64::try_from(self.random.below(20))?;
        for life in &self.orders {
            let store = &self.store(life.store)?.store;
            for order in &life.versions {
                history::check_version(self.shop, store, order).await?;
            }
            let own = history::check_events(self.shop, store, &life.versions, size).await?;
            if let Some(all) = sequences.get_mut(life.store) {
                all.extend(own);
            }
        }
        sequences.into_iter().try_for_each(history::check_sequences)
    }

    fn keep(&mut self, place: usize, order: Order) -> CaseResult {
        let life = self.life_mut(place)?;
        life.versions.push(order);
        // The change has set a new due time, which replaces the lease.
        life.taken_until = None;
        let store = life.store;
        self.store_mut(store)?.events += 1;
        Ok(())
    }

    fn count(&mut self, kind: &'static str) {
        *self.seen.entry(kind).or_default() += 1;
    }

    pub(super) fn life(&self, place: usize) -> Result<&Life, CaseError> {
        self.orders
            .get(place)
            .ok_or_else(|| CaseError::new("no such order"))
    }

    pub(super) fn life_mut(&mut self, place: usize) -> Result<&mut Life, CaseError> {
        let life = self.orders.get_mut(place);
        life.ok_or_else(|| CaseError::new("no such order"))
    }

    pub(super) fn store(&self, place: usize) -> Result<&StoreState, CaseError> {
        self.stores
            .get(place)
            .ok_or_else(|| CaseError::new("no such store"))
    }

    fn store_mut(&mut self, place: usize) -> Result<&mut StoreState, CaseError> {
        let store = self.stores.get_mut(place);
        store.ok_or_else(|| CaseError::new("no such store"))
    }
}

/// Checks that `before` offered the command that changed it.
fn check_offered(before: &Order, given: &CommandCase, now: Timestamp) -> CaseResult {
    let actions = given.command.row()?.actions;
    let offers = allowed_actions(before, given.by, now);
    let is_offered = offers.iter().any(|offer| {
        let mut actions = actions.split_whitespace();
        actions.any(|action| action == offer.action.as_str())
    });
    // Moving the end of a hold is possible, but a hold of held items is not offered.
    let mut items = before.state.items.iter();
    let has_held = items.any(|item| item.status == ItemStatus::OnHold);
    let is_hold = matches!(
        given.command,
        Command::Move {
            command: TableCommand::Hold,
            ..
        }
    );
    let moves_end = is_hold && has_held;
    // The e-mail concerns no item: it can change while a pending change prevents other updates.
    let is_email = matches!(given.command, Command::Update(Edit::Email(_)));
    holds(
        "it was offered",
        is_offered || moves_end || is_email || actions.is_empty(),
    )
}

/// Checks that a refused command is not in the status table, and was not offered.
fn check_denial(
    before: &Order,
    given: &CommandCase,
    denied: &Denied,
    now: Timestamp,
) -> CaseResult {
    // Only the service may apply due changes, whatever the table allows.
    let is_due = matches!(given.command, Command::Due);
    if denied.code != "illegal_transition" || is_due {
        return Ok(());
    }
    holds("what is offered is refused", !given.is_offered)?;
    let rows = match &given.command {
        Command::Approve { .. } => "decide",
        command => command.row()?.moves,
    };
    let moved = MoveCase {
        before,
        after: before,
        rows,
        named: None,
        by: given.by,
        now,
    };
    let movable = moved.movable(&denied.items);
    same("refused items that the table moves", &movable, &Vec::new())
}
