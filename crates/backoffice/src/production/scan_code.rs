//! Scans of item and order codes.

use super::ProductionError;
use super::code::{ItemCode, ScannedCode};
use super::draft::RecordDraft;
use super::record::RecordedItem;
use super::scan::{OrderProgress, Scan, ScanAnswer, ScanOutcome};
use super::service::OrderProduction;
use super::stop::{Stop, StopReason};
use pressline_domain::check::field::Field;
use pressline_domain::order::OrderError;
use pressline_domain::value::id::ServiceOrderId;

impl Scan<'_> {
    pub(super) async fn item(&self, code: &ItemCode) -> ScanAnswer {
        let scanned = ScannedCode::Item(code.clone());
        let order = match self.admitted(&scanned, &code.order).await? {
            Ok(order) => order,
            Err(stop) => return Ok(Err(stop)),
        };
        if !order
            .items
            .iter()
            .any(|item| item.state.number == code.number)
        {
            return Ok(Err(Stop::UnknownItem(code.clone())));
        }
        // Scanning an item of the order confirms its waiting label.
        if let Some(label) = self.waiting_label(&code.order) {
            return self.label(label, false).await;
        }
        let recorded = match self.record(code).await {
            Ok(recorded) => recorded,
            Err(error) => return stop_of(error, code).map(Err),
        };
        // The record has changed the progress of the order.
        let order = self.read(&code.order).await?.unwrap_or(order);
        let progress = match order.missing(self.step) {
            0 if order.at_work().next().is_none() => OrderProgress::Sent,
            0 => OrderProgress::Complete,
            missing => OrderProgress::Missing(missing),
        };
        Ok(Ok(ScanOutcome::Recorded {
            item: Box::new(recorded.item),
            replayed: recorded.replayed,
            progress,
        }))
    }

    async fn record(&self, code: &ItemCode) -> Result<RecordedItem, ProductionError> {
        let draft = RecordDraft {
            item_code: code.to_string().into(),
            step: self.draft.step.as_str().into(),
            units: self.draft.units.clone(),
            // Without `units`, a repetition is recognised by the number of done units.
            once: match self.draft.units.is_absent() {
                true => Field::Absent,
                false => self.draft.once.clone(),
            },
        };
        self.service.record(self.operator, &draft, self.by).await
    }

    pub(super) async fn order(&self, number: &ServiceOrderId) -> ScanAnswer {
        let code = ScannedCode::Order(number.clone());
        let admitted = self.admitted(&code, number).await?;
        Ok(admitted.and_then(|order| match order.held_back() {
            Some(reason) => Err(held_back(number, reason)),
            None => Ok(ScanOutcome::Chosen(number.clone())),
        }))
    }

    /// Reads the order `number` of the scanned `code`. At the last step, refuses an order that must
    /// not go out, and any other order while the current order has packed units that are not sent.
    async fn admitted(
        &self,
        code: &ScannedCode,
        number: &ServiceOrderId,
    ) -> Result<Result<OrderProduction, Stop>, ProductionError> {
        let Some(order) = self.read(number).await? else {
            return Ok(Err(Stop::UnknownOrder(number.clone())));
        };
        // At earlier steps, a batch has items of many incomplete orders.
        if !self.is_last {
            return Ok(Ok(order));
        }
        if let Some(reason) = order.held_back() {
            return Ok(Err(held_back(number, reason)));
        }
        let present = self
            .bench
            .order
            .as_ref()
            .filter(|present| *present != number);
        let Some(present) = present else {
            return Ok(Ok(order));
        };
        let (code, present) = (code.clone(), present.clone());
        Ok(match self.read(&present).await? {
            // Nothing of the current order can be sent, so it need not be finished first.
            Some(unsent) if !is_unsent(&unsent) => Ok(order),
            // The current order is no longer in the operator's scope.
            None => Ok(order),
            Some(unsent) => match unsent.missing(self.step) {
                0 => Err(Stop::Unsent { code, present }),
                missing => Err(Stop::Incomplete {
                    code,
                    present,
                    missing,
                }),
            },
        })
    }

    /// Returns whether the current order has packed units that can be sent. Always `false` before
    /// the last step.
    pub(super) async fn is_present_unsent(&self) -> Result<bool, ProductionError> {
        let Some(present) = self.bench.order.as_ref().filter(|_| self.is_last) else {
            return Ok(false);
        };
        Ok(self
            .read(present)
            .await?
            .is_some_and(|order| is_unsent(&order)))
    }

    /// Returns the order `number`; `None` if it does not exist or is outside the operator's scope.
    pub(super) async fn read(
        &self,
        number: &ServiceOrderId,
    ) -> Result<Option<OrderProduction>, ProductionError> {
        let number = number.to_string().into();
        match self.service.of_order(self.operator, &number).await {
            Ok(found) => Ok(Some(found)),
            Err(ProductionError::Order(OrderError::NotFound)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn waiting_label(&self, order: &ServiceOrderId) -> Option<&str> {
        let is_present = self.bench.order.as_ref() == Some(order);
        self.bench.label.as_deref().filter(|_| is_present)
    }
}

/// Returns whether `order` has packed units that can be sent.
fn is_unsent(order: &OrderProduction) -> bool {
    order.held_back().is_none() && !order.packed().is_empty()
}

pub(super) fn held_back(order: &ServiceOrderId, reason: StopReason) -> Stop {
    Stop::StopReason {
        order: order.clone(),
        reason,
    }
}

/// Converts an error that the operator can resolve at the station into a [`Stop`]. Returns other
/// errors unchanged.
fn stop_of(error: ProductionError, code: &ItemCode) -> Result<Stop, ProductionError> {
    match error {
        ProductionError::OutOfOrder(error) => Ok(Stop::OutOfOrder(code.clone(), error)),
        ProductionError::Order(OrderError::IllegalTransition { from, .. }) => {
            let item = code.to_string();
            Ok(held_back(
                &code.order,
                StopReason::Item { item, status: from },
            ))
        }
        error => Err(error),
    }
}
