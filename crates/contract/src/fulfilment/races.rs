//! Races of two commands: the order ends as if one command had followed the other.

use std::sync::Arc;

use pressline_domain::event::Role;
use pressline_domain::fulfilment::SnapshotParts;
use pressline_domain::order::fingerprint::{FORM, Fingerprint};
use pressline_domain::order::{Order, OrderKind, OrderParts};
use pressline_domain::runtime::Clock as _;
use pressline_domain::store::Store;

use super::command::{CommandCase, Goods};
use super::drafts::order_draft;
use super::generate;
use super::shop::{Outcome, Shop, caller};
use crate::check::same;
use crate::random::Random;
use crate::{CaseError, CaseResult};

/// Maximum number of commands before a race.
const BEFORE: u64 = 12;

/// Returns the result of a command as text.
fn summary(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Done { is_replay, .. } => format!("done, replay: {is_replay}"),
        Outcome::Denied(denied) => denied.code.to_owned(),
    }
}

/// Three orders with identical lives so far.
struct Triplets {
    shop: Arc<Shop>,
    store: Store,
    order_ids: Vec<String>,
}

/// End of a race: the results of both commands, and the order as text.
type Ending = (String, String, String);

/// Runs a race between two random commands on new orders.
pub(super) async fn race(shop: &Arc<Shop>, number: u64, mut random: Random) -> CaseResult {
    let window = random.pick(&[0, 60, 3600]).copied().unwrap_or_default();
    let store = shop.add_store(&format!("R{number}"), window).await?;
    let triplets = Triplets {
        shop: Arc::clone(shop),
        store,
        order_ids: ["one", "two", "both"]
            .map(|name| format!("{name}-{number}"))
            .to_vec(),
    };
    let (kind, cart) = (generate::kind(&mut random), generate::cart(&mut random));
    triplets.place(kind, &cart).await?;
    for _ in 0..random.below(BEFORE) {
        shop.clock.advance(generate::pause(&mut random));
        triplets.step(&mut random).await?;
    }
    shop.clock.advance(generate::pause(&mut random));
    let seen = triplets.stored().await?;
    let [one, two, both] = seen.as_slice() else {
        return Err(CaseError::new("three orders are raced"));
    };
    let now = shop.clock.now();
    // The three orders are identical, so the same commands fit all of them.
    let given = [(); 2].map(|()| generate::given(&mut random, one, now));
    let what = format!("{given:?} of {:?}", one.state.item_statuses());
    let race = async {
        let endings = [
            triplets.one_by_one(one, &given, [0, 1]).await?,
            triplets.one_by_one(two, &given, [1, 0]).await?,
        ];
        Ok::<_, CaseError>((endings, triplets.at_once(both, given.clone()).await?))
    };
    let raced = race.await;
    let (endings, ending) = raced.map_err(|error| error.in_context(&what))?;
    if endings.contains(&ending) {
        return Ok(());
    }
    let [first, second] = endings;
    let outcomes = |ending: &Ending| (ending.0.clone(), ending.1.clone());
    // Report the difference to the serial ending with the same results, if there is one.
    let serial = match outcomes(&first) == outcomes(&ending) {
        true => first,
        false => second,
    };
    same("outcomes of a race", &outcomes(&ending), &outcomes(&serial))
        .and_then(|()| {
            same(
                "the order after a race",
                &lines(&ending.2),
                &lines(&serial.2),
            )
        })
        .map_err(|error| error.in_context(&what))
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

impl Triplets {
    async fn place(&self, kind: OrderKind, cart: &[Goods]) -> CaseResult {
        for order_id in &self.order_ids {
            let (draft, by) = (order_draft(order_id, kind, cart), caller(Role::Store));
            match kind {
                OrderKind::Manual => {
                    self.shop
                        .service
                        .place
                        .create(&self.store, &draft, &by)
                        .await?
                }
                OrderKind::Label => {
                    self.shop
                        .service
                        .place
                        .create_label(&self.store, &draft, &by)
                        .await?
                }
            };
        }
        Ok(())
    }

    async fn stored(&self) -> Result<Vec<Order>, CaseError> {
        let mut orders = Vec::new();
        for order_id in &self.order_ids {
            orders.push(self.shop.stored(&self.store, order_id).await?);
        }
        Ok(orders)
    }

    /// Gives the same random command to each order, so that they stay identical.
    async fn step(&self, random: &mut Random) -> CaseResult {
        let orders = self.stored().await?;
        let Some(first) = orders.first() else {
            return Ok(());
        };
        let given = generate::given(random, first, self.shop.clock.now());
        let mut endings = Vec::new();
        for order in &orders {
            let outcome = summary(&self.shop.give(&self.store, order, &given).await?);
            endings.push((outcome, self.shown(order).await?));
        }
        let alike = endings.iter().all(|ending| Some(ending) == endings.first());
        match alike {
            true => Ok(()),
            false => Err(CaseError::new(format!(
                "{given:?} differs between equal orders"
            ))),
        }
    }

    async fn one_by_one(
        &self,
        seen: &Order,
        given: &[CommandCase; 2],
        order: [usize; 2],
    ) -> Result<Ending, CaseError> {
        let mut outcomes = [String::new(), String::new()];
        for place in order {
            let pair = given.get(place).zip(outcomes.get_mut(place));
            let Some((given, outcome)) = pair else {
                continue;
            };
            *outcome = summary(&self.shop.give(&self.store, seen, given).await?);
        }
        let [first, second] = outcomes;
        Ok((first, second, self.shown(seen).await?))
    }

    /// Gives both commands concurrently; both are decided on the same version.
    async fn at_once(&self, seen: &Order, given: [CommandCase; 2]) -> Result<Ending, CaseError> {
        let meeting = self.shop.orders.hooks.meet();
        let calls = given.map(|given| {
            let (shop, store, seen) = (Arc::clone(&self.shop), self.store.clone(), seen.clone());
            let meeting = Arc::clone(&meeting);
            tokio::spawn(async move {
                let outcome = shop.give(&store, &seen, &given).await;
                // A command that ends without reading must release the other command.
                meeting.end();
                outcome
            })
        });
        let [first, second] = calls;
        let outcomes = (first.await?, second.await?);
        self.shop.orders.hooks.part();
        Ok((
            summary(&outcomes.0?),
            summary(&outcomes.1?),
            self.shown(seen).await?,
        ))
    }

    /// Returns the stored order as text, without values that differ between identical orders: ids,
    /// numbers and sequence numbers.
    async fn shown(&self, seen: &Order) -> Result<String, CaseError> {
        let order_id = &seen.content.order_id;
        let stored = self.shop.stored(&self.store, order_id).await?;
        let mut parts = SnapshotParts::clone(&stored);
        parts.state.last_sequence = 0;
        parts.service_order_id.number = 1;
        let mut content = OrderParts::clone(&parts.content);
        content.fingerprint = Fingerprint::from_bytes(&[&[FORM][..], &[0; 32]].concat())?;
        parts.content = Arc::new(content);
        let text = format!("{parts:#?}").replace(order_id, "the order");
        Ok(numbered_ids(&text))
    }
}

const UUID: usize = 36;

/// Replaces the ids in `text` with numbers, in order of first appearance.
fn numbered_ids(text: &str) -> String {
    let mut known: Vec<&str> = Vec::new();
    let (mut numbered, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(first) = rest.chars().next() {
        let id = rest
            .get(..UUID)
            .filter(|id| uuid::Uuid::try_parse(id).is_ok());
        let Some(id) = id else {
            numbered.push(first);
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
            continue;
        };
        let place = known
            .iter()
            .position(|other| *other == id)
            .unwrap_or_else(|| {
                known.push(id);
                known.len() - 1
            });
        numbered.push_str(&format!("id {place}"));
        rest = rest.get(UUID..).unwrap_or_default();
    }
    numbered
}
