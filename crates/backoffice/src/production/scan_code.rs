//! Scans of item and order codes.

use super::ProductionError;
use super::code::{ItemCode, ScannedCode};
use super::draft::RecordDraft;
use super::produced::OrderProduction;
use super::record::RecordedItem;
use super::scan::{OrderProgress, Scan, ScanAnswer, ScanError, ScanOutcome};
use super::stop::{Stop, StopReason};
use pressline_domain::check::Field;
use pressline_domain::order::OrderError;
use pressline_domain::value::ServiceOrderId;

impl Scan<'_> {
    pub(super) async fn item(&self, code: &ItemCode) -> ScanAnswer {
        let scanned = ScannedCode::Item(code.clone());
        let admitted_order = self.admitted(&scanned, &code.order).await?;
        let mut items = admitted_order.items.iter();
        if !items.any(|item| item.state.number == code.number) {
            return Err(Stop::UnknownItem(code.clone()).into());
        }
        // Scanning an item of the order confirms its waiting label.
        if let Some(label) = self.waiting_label(&code.order) {
            return self.label(label, false).await;
        }
        let recorded = self
            .record(code)
            .await
            .map_err(|error| stop_of(error, code))?;
        // The record has changed the progress of the order.
        let order = self.read(&code.order).await?.unwrap_or(admitted_order);
        let progress = match order.missing(self.step) {
            0 if order.at_work().next().is_none() => OrderProgress::Sent,
            0 => OrderProgress::Complete,
            missing => OrderProgress::Missing(missing),
        };
        Ok(ScanOutcome::Recorded {
            item: Box::new(recorded.item),
            replayed: recorded.replayed,
            progress,
        })
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
        match self.admitted(&code, number).await?.held_back() {
            Some(reason) => Err(held_back(number, reason).into()),
            None => Ok(ScanOutcome::Chosen(number.clone())),
        }
    }

    /// Fails with a [`Stop`] if the order is unknown. At the last step, also if the order must not
    /// go out now, or if the station's current order is another order with packed units to send.
    async fn admitted(
        &self,
        code: &ScannedCode,
        number: &ServiceOrderId,
    ) -> ScanAnswer<OrderProduction> {
        let Some(order) = self.read(number).await? else {
            return Err(Stop::UnknownOrder(number.clone()).into());
        };
        // At earlier steps, a batch has items of many incomplete orders.
        if !self.is_last {
            return Ok(order);
        }
        if let Some(reason) = order.held_back() {
            return Err(held_back(number, reason).into());
        }
        let present = self.bench.order.as_ref();
        let Some(present) = present.filter(|present| *present != number) else {
            return Ok(order);
        };
        let unsent = self.read(present).await?;
        // If nothing of the current order can be sent, or it is no longer in the operator's scope,
        // it need not be finished first.
        let Some(unsent) = unsent.filter(is_unsent) else {
            return Ok(order);
        };
        let (code, present) = (code.clone(), present.clone());
        let stop = match unsent.missing(self.step) {
            0 => Stop::Unsent { code, present },
            missing => Stop::Incomplete {
                code,
                present,
                missing,
            },
        };
        Err(stop.into())
    }

    /// Returns whether the current order has packed units to send; `false` except at the last step.
    pub(super) async fn is_present_unsent(&self) -> Result<bool, ProductionError> {
        let Some(present) = self.bench.order.as_ref().filter(|_| self.is_last) else {
            return Ok(false);
        };
        Ok(self.read(present).await?.as_ref().is_some_and(is_unsent))
    }

    /// Returns `None` if the order does not exist or is outside the operator's scope.
    pub(super) async fn read(
        &self,
        number: &ServiceOrderId,
    ) -> Result<Option<OrderProduction>, ProductionError> {
        let number = number.to_string().into();
        match self.service.of_order(self.operator, &number).await {
            Ok(order) => Ok(Some(order)),
            Err(ProductionError::Order(OrderError::NotFound)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn waiting_label(&self, order: &ServiceOrderId) -> Option<&str> {
        let is_present = self.bench.order.as_ref() == Some(order);
        self.bench.label.as_deref().filter(|_| is_present)
    }
}

fn is_unsent(order: &OrderProduction) -> bool {
    order.held_back().is_none() && !order.packed().is_empty()
}

pub(super) fn held_back(order: &ServiceOrderId, reason: StopReason) -> Stop {
    Stop::StopReason {
        order: order.clone(),
        reason,
    }
}

/// Returns a [`Stop`] if the operator can resolve `error` at the station.
fn stop_of(error: ProductionError, code: &ItemCode) -> ScanError {
    match error {
        ProductionError::OutOfOrder(error) => Stop::OutOfOrder(code.clone(), error).into(),
        ProductionError::Order(OrderError::IllegalTransition { from, .. }) => {
            let item = code.to_string();
            held_back(&code.order, StopReason::Item { item, status: from }).into()
        }
        error => error.into(),
    }
}
