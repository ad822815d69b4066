//! Recording of done and misprinted units.

use super::ItemRef;
use super::draft::{MisprintDraft, RecordDraft, ValidRecord, Work};
use super::produced::{ProducedItem, was_sent};
#[cfg(doc)]
use super::service::ProductionError;
use super::service::{ProductionService, Result, item_coded};
use super::units::{ItemProgress, ItemUnits, ProductionRecord, ProgressRecord};
use crate::limits;
use crate::operator::Operator;
use pressline_domain::check::{IssueCode, Path, Report, Warning};
use pressline_domain::error::RepositoryError;
use pressline_domain::fulfilment::{
    Caller, Command, ItemState, ItemStatus, MoveCommand, move_items,
};
use pressline_domain::order::request::Move;
use pressline_domain::order::{ChosenItems, MovedOrder, Order, OrderError};

/// A concurrent record of the same item makes an attempt fail.
const ATTEMPTS: usize = 64;

/// Result of a call that records units.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedItem {
    /// The item after the call.
    pub item: ProducedItem,
    /// `true` if nothing was recorded, because the request was recorded before.
    pub replayed: bool,
    /// Warnings about the request; may be empty.
    pub warnings: Vec<Warning>,
}

impl ProductionService {
    /// Records units of an item as done at a step, and starts the item if it is ready.
    ///
    /// # Errors
    /// [`ProductionError::OutOfOrder`] if `draft` has more units than wait at the step;
    /// [`ProductionError::Order`] if `draft` is invalid, or the item is unknown or must not start.
    #[pressline_kit::boxed]
    pub async fn record(
        &self,
        operator: &Operator,
        draft: &RecordDraft,
        by: &Caller,
    ) -> Result<RecordedItem> {
        let valid = draft.check(&self.steps)?;
        self.add_record(operator, valid, by).await
    }

    /// Records units of an item as misprinted: they must be done again at every step.
    ///
    /// # Errors
    /// [`ProductionError::OutOfOrder`] if `draft` has more units than are done at the first step
    /// and not shipped; otherwise the same errors as [`ProductionService::record`].
    #[pressline_kit::boxed]
    pub async fn misprint(
        &self,
        operator: &Operator,
        draft: &MisprintDraft,
        by: &Caller,
    ) -> Result<RecordedItem> {
        let valid = draft.check()?;
        self.add_record(operator, valid, by).await
    }

    async fn add_record(
        &self,
        operator: &Operator,
        valid: ValidRecord,
        by: &Caller,
    ) -> Result<RecordedItem> {
        for _ in 0..ATTEMPTS {
            let order = self.order_of(operator, &valid.code).await?;
            let (line, state) = item_coded(&order, &valid.code)?;
            let place = ItemRef::new(&order, state.id);
            let progress = self.progress_of(&order, state).await?;
            let is_repeated = self.is_repeated(&progress, &valid).await?;
            let units = ItemUnits::new(&progress, &self.steps, line, state);
            let decided = if is_repeated {
                Ok(None)
            } else {
                self.decide(&progress, &units, &valid.work)
            };
            // The status is the first reason to refuse. A sent item is exempt if nothing would be
            // recorded: the repetition of a request may arrive after the shipment.
            if !(was_sent(state.status) && matches!(decided, Ok(None))) {
                self.check_producible(&order, state, by)?;
            }
            let Some((next, recorded)) = decided? else {
                return self.recorded(operator, valid, true).await;
            };
            // The item is started before the record is stored: after a crash in between, the
            // repeated call finds it started, and records.
            let is_done = matches!(recorded, ProgressRecord::Done { .. });
            if is_done && state.status == ItemStatus::Ready {
                self.start_item(operator, &order, state, by).await?;
            }
            let record = ProductionRecord {
                place,
                revision: next.revision,
                stamp: self.stamp(operator),
                recorded,
                once: valid.once.clone(),
            };
            match self.progress.record(&next, &record).await {
                Ok(()) => return self.recorded(operator, valid, false).await,
                // A concurrent record came first: decide again on its result.
                Err(RepositoryError::Stale) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let reason = "too many concurrent records of one item";
        Err(RepositoryError::Unavailable(reason.into()).into())
    }

    async fn progress_of(
        &self,
        order: &Order,
        state: &ItemState,
    ) -> Result<ItemProgress, RepositoryError> {
        let place = ItemRef::new(order, state.id);
        let progress = &self.progress;
        let rows = progress.progress(place.store, &[place.order]).await?;
        let mut stored = rows.into_iter();
        Ok(stored
            .find(|progress| progress.place == place)
            .unwrap_or_else(|| ItemProgress::none(place)))
    }

    /// Returns whether one of the latest records has the idempotency key of `valid`. Fails if this
    /// record differs from `valid`. The caller must read `progress` first: then storing its next
    /// revision fails if a concurrent request adds a record in between.
    async fn is_repeated(&self, progress: &ItemProgress, valid: &ValidRecord) -> Result<bool> {
        // Before the first record, nothing can be repeated: saves a query.
        let Some(once) = valid.once.as_ref().filter(|_| progress.revision > 0) else {
            return Ok(false);
        };
        let (place, stored) = (progress.place, &self.progress);
        let item = Some(place.item);
        let reading = stored.records(place.store, place.order, item, limits::RECORDS);
        let item_records = reading.await?;
        let mut records = item_records.iter();
        let Some(earlier) = records.find(|record| record.once.as_ref() == Some(once)) else {
            return Ok(false);
        };
        if valid.work.is_recorded_by(&earlier.recorded) {
            return Ok(true);
        }
        let mut report = Report::default();
        let message = "another record of this item has this name";
        report.violation(&Path::Root.key("once"), IssueCode::Conflict, message);
        Err(report.into())
    }

    fn decide(
        &self,
        progress: &ItemProgress,
        units: &ItemUnits,
        work: &Work,
    ) -> Result<Option<(ItemProgress, ProgressRecord)>> {
        let before = units.clone();
        let (after, misprints, recorded) = match work.clone() {
            Work::Done { step, name, units } => {
                let Some(units) = before.record(step, &self.steps, units)? else {
                    return Ok(None);
                };
                let recorded = ProgressRecord::Done { step: name, units };
                (before.with_done(step, units), 0, recorded)
            }
            Work::Misprint { units, reason } => {
                let recorded = ProgressRecord::Misprint { units, reason };
                (before.with_misprint(units)?, units, recorded)
            }
        };
        let next = progress.next(&self.steps, &after, misprints);
        Ok(Some((next, recorded)))
    }

    pub(super) fn check_producible(
        &self,
        order: &Order,
        item: &ItemState,
        by: &Caller,
    ) -> Result<(), OrderError> {
        // The start command is decided but not executed: its rules say in which statuses an item
        // can be produced.
        let context = by.at(self.clock.now());
        let started = move_items(Command::Start, order, Some(&[item.id]), &context);
        started
            .map(drop)
            .map_err(|refusal| OrderError::refused(refusal, order))
    }

    async fn start_item(
        &self,
        operator: &Operator,
        order: &Order,
        item: &ItemState,
        by: &Caller,
    ) -> Result<(), OrderError> {
        let chosen = ChosenItems {
            order: order.service_order_id.clone(),
            items: vec![item.id],
        };
        let results = self.start(operator, &[chosen], by).await?;
        let started = results.into_iter().next();
        started.map_or(Ok(()), |order| order.result.map(drop))
    }

    /// Starts production of the items in `chosen`.
    pub(super) async fn start(
        &self,
        operator: &Operator,
        chosen: &[ChosenItems],
        by: &Caller,
    ) -> Result<Vec<MovedOrder>, OrderError> {
        let start = Move::new(MoveCommand::Plain(Command::Start));
        let scope = self.scope(operator);
        let moved = self.moves.move_chosen(scope, chosen, &start, by).await?;
        Ok(moved.orders)
    }

    async fn recorded(
        &self,
        operator: &Operator,
        valid: ValidRecord,
        replayed: bool,
    ) -> Result<RecordedItem> {
        let order = self.order_of(operator, &valid.code).await?;
        let known = self.known(&[&order]).await?;
        let (line, state) = item_coded(&order, &valid.code)?;
        Ok(RecordedItem {
            item: self.produced(&known, &order, line, state),
            replayed,
            warnings: valid.warnings,
        })
    }
}

impl Work {
    fn is_recorded_by(&self, recorded: &ProgressRecord) -> bool {
        match (self, recorded) {
            (
                Self::Done { name, units, .. },
                ProgressRecord::Done {
                    step,
                    units: recorded,
                },
            ) => {
                // A request without a number repeats a record with any number.
                name == step && units.is_none_or(|units| units == *recorded)
            }
            (
                Self::Misprint { units, reason },
                ProgressRecord::Misprint {
                    units: of,
                    reason: why,
                },
            ) => units == of && reason == why,
            _ => false,
        }
    }
}
