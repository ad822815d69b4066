//! Scans of codes and labels at a station.

use std::collections::HashMap;

use super::ProductionError;
use super::code::{ItemCode, ScannedCode};
use super::joined::{named_orders, split_joined};
use super::produced::ProducedItem;
use super::service::{ProductionService, item_numbered};
use super::steps::StepName;
use super::stop::Stop;
use crate::limits;
use crate::operator::Operator;
use pressline_domain::check::Field;
use pressline_domain::fulfilment::{Caller, Shipment};
use pressline_domain::order::OrderError;
use pressline_domain::value::ServiceOrderId;

/// State of a station between two scans.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bench {
    /// Current order: the order that the station works on; `None` if the station has no order.
    pub order: Option<ServiceOrderId>,
    /// Label that waits until an item of `order` is scanned; this scan then sends the order. `None`
    /// if no label waits.
    pub label: Option<String>,
    /// Refused code of another order than `order`; `None` if no code was refused. After a refused
    /// code, the station also refuses labels, unless `label` waits. It takes labels again after it
    /// has accepted a code of `order` or of an item in `order`.
    pub other: Option<ScannedCode>,
}

/// Unchecked scan at a station.
#[derive(Clone, Debug)]
pub struct ScanDraft {
    /// Production step of the station.
    pub step: StepName,
    /// Scanned string: a single code or label.
    pub text: String,
    /// Number of units to record if an item is scanned; if absent, all units that wait at `step`.
    pub units: Field<i64>,
    /// Idempotency key chosen by the caller, used only if `units` is given.
    pub once: Field<String>,
    /// Name of the parcel's carrier; absent if the station does not know it.
    pub carrier: Field<String>,
    /// `true` if a label sends its order only after an item of the order is scanned again.
    pub confirms: bool,
}

/// Answer to a scan: the station's next state and the outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct ScanResult {
    /// State of the station after the scan.
    pub bench: Bench,
    /// Code of the scanned item; `None` if the scanned string is not an item code.
    pub item: Option<ItemCode>,
    /// Effect of the scan, or the reason why it was refused.
    pub outcome: Result<ScanOutcome, Stop>,
}

/// Effect of an accepted scan.
#[derive(Clone, Debug, PartialEq)]
pub enum ScanOutcome {
    /// Units were recorded, by this scan or by an earlier scan.
    Recorded {
        /// The item with its production state after the scan.
        item: Box<ProducedItem>,
        /// `true` if the units were recorded before this scan.
        replayed: bool,
        /// Remaining work of the item's order at the station's step.
        progress: OrderProgress,
    },
    /// The station now works on this order. Nothing was recorded.
    Chosen(ServiceOrderId),
    /// The label was accepted. It sends the order when an item of the order is scanned again.
    Labelled {
        /// Number of the current order: [`Bench::order`].
        order: ServiceOrderId,
        /// Tracking number on the label.
        label: String,
        /// `true` if the same label already waited before this scan.
        replayed: bool,
    },
    /// The order was sent with this shipment.
    Sent(ServiceOrderId, Box<Shipment>),
    /// A parcel with this label was sent before.
    SentBefore {
        /// Tracking number on the label.
        label: String,
        /// Number of the parcel's order.
        order: ServiceOrderId,
    },
}

/// Remaining work of an order at a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderProgress {
    /// Number of units that are not done at the step, at least 1.
    Missing(u32),
    /// All units are done at the step, and at least one is not sent.
    Complete,
    /// All units are sent.
    Sent,
}

impl ScanOutcome {
    /// Returns whether the scan changed nothing, because it repeats an earlier scan.
    pub fn is_repeated(&self) -> bool {
        match self {
            Self::Recorded { replayed, .. } | Self::Labelled { replayed, .. } => *replayed,
            Self::SentBefore { .. } => true,
            Self::Chosen(_) | Self::Sent(..) => false,
        }
    }
}

pub(super) struct Scan<'a> {
    pub(super) service: &'a ProductionService,
    pub(super) operator: &'a Operator,
    pub(super) by: &'a Caller,
    pub(super) draft: &'a ScanDraft,
    pub(super) bench: &'a Bench,
    pub(super) step: usize,
    pub(super) is_last: bool,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum ScanError {
    /// Refused for a reason that the operator can resolve at the station.
    #[error(transparent)]
    Stop(#[from] Stop),
    #[error(transparent)]
    Failed(#[from] ProductionError),
}

pub(super) type ScanAnswer<T = ScanOutcome> = Result<T, ScanError>;

impl ProductionService {
    /// Splits the scanned `text` into codes and labels. The result is [`Stop::Joined`] if the split
    /// is ambiguous, or [`Stop::NotACode`] if `text` is longer than [`limits::SCANNED_TEXT`].
    ///
    /// # Errors
    /// [`OrderError::Repository`] if a query fails.
    #[pressline_kit::boxed]
    pub async fn scans(
        &self,
        operator: &Operator,
        text: &str,
    ) -> Result<Result<Vec<String>, Stop>, ProductionError> {
        let prefix = match text.parse::<ScannedCode>() {
            Ok(ScannedCode::Item(code)) => Some(code.order.prefix),
            Ok(ScannedCode::Order(number)) => Some(number.prefix),
            Ok(ScannedCode::Batch(_)) | Err(_) => None,
        };
        // Usually `text` is a single code of a known store: this saves the queries below.
        if let Some(prefix) = prefix
            && self.stores.by_prefix().get(&prefix).await?.is_some()
        {
            return Ok(Ok(vec![text.trim().to_owned()]));
        }
        // Bounds the number of orders that are read below.
        if text.chars().count() > limits::SCANNED_TEXT {
            return Ok(Err(Stop::NotACode(text.to_owned())));
        }
        let prefixes = self.stores.prefixes().await?;
        let mut orders = HashMap::new();
        for number in named_orders(text, &prefixes) {
            match self.order_numbered(operator, &number).await {
                Ok(order) => drop(orders.insert(number, order)),
                // An unknown order has no items.
                Err(OrderError::NotFound) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let has_item = |code: &ItemCode| {
            let order = orders.get(&code.order);
            order.is_some_and(|order| item_numbered(order, code.number).is_some())
        };
        Ok(split_joined(text, &prefixes, has_item).map_err(Stop::Joined))
    }

    /// Processes the scan `draft` at a station in the state `bench`.
    ///
    /// At the last step, the items of an order are scanned, then the label that sends the order.
    ///
    /// # Errors
    /// [`OrderError::Invalid`] if `units`, `once` or `carrier` is invalid;
    /// [`OrderError::Repository`] if a query fails. Any other obstacle is a [`Stop`] in
    /// [`ScanResult::outcome`].
    #[pressline_kit::boxed]
    pub async fn scan(
        &self,
        operator: &Operator,
        bench: &Bench,
        draft: &ScanDraft,
        by: &Caller,
    ) -> Result<ScanResult, ProductionError> {
        let steps = &self.steps;
        let step = steps.position(draft.step.as_str()).unwrap_or_default();
        let scan = Scan {
            service: self,
            operator,
            by,
            draft,
            bench,
            step,
            is_last: step + 1 == steps.names().len(),
        };
        let code = draft.text.parse::<ScannedCode>().ok();
        let answer = match &code {
            Some(ScannedCode::Item(code)) => scan.item(code).await,
            Some(ScannedCode::Order(number)) => scan.order(number).await,
            Some(ScannedCode::Batch(number)) => Err(Stop::Batch(*number).into()),
            None => scan.label(draft.text.trim(), draft.confirms).await,
        };
        let outcome = match answer {
            Ok(outcome) => Ok(outcome),
            Err(ScanError::Stop(stop)) => Err(stop),
            Err(ScanError::Failed(error)) => return Err(error),
        };
        // After a refusal, the station keeps the current order while packed units of it are unsent.
        let keeps_order = outcome.is_err() && scan.is_present_unsent().await?;
        Ok(ScanResult {
            bench: bench.after(code.as_ref(), &outcome, keeps_order),
            item: match code {
                Some(ScannedCode::Item(code)) => Some(code),
                _ => None,
            },
            outcome,
        })
    }
}

impl Bench {
    /// Returns the next state; `code` is `None` for a label. After a refused code of another order,
    /// the current order stays if `keeps_order` is `true`. Otherwise the other order becomes the
    /// current order, unless it is unknown.
    fn after(
        &self,
        code: Option<&ScannedCode>,
        outcome: &Result<ScanOutcome, Stop>,
        keeps_order: bool,
    ) -> Self {
        let of_order = |order: Option<ServiceOrderId>| Self {
            order,
            ..Self::default()
        };
        let scanned = match code {
            Some(ScannedCode::Item(code)) => Some(code.order.clone()),
            Some(ScannedCode::Order(number)) => Some(number.clone()),
            Some(ScannedCode::Batch(_)) | None => None,
        };
        match outcome {
            Ok(ScanOutcome::Recorded {
                progress: OrderProgress::Sent,
                ..
            }) => Self::default(),
            Ok(ScanOutcome::Recorded { .. } | ScanOutcome::Chosen(_)) => of_order(scanned),
            Ok(ScanOutcome::Labelled { order, label, .. }) => Self {
                label: Some(label.clone()),
                ..of_order(Some(order.clone()))
            },
            Ok(ScanOutcome::Sent(..)) => Self::default(),
            // The current order was already sent, so the station is free.
            Ok(ScanOutcome::SentBefore { order, .. }) if self.order.as_ref() == Some(order) => {
                Self::default()
            }
            Ok(ScanOutcome::SentBefore { .. }) => self.clone(),
            // A refused label, or a refused code of the current order, changes nothing.
            Err(_) if scanned.is_none() || scanned == self.order => self.clone(),
            Err(_) if keeps_order => Self {
                other: code.cloned(),
                ..self.clone()
            },
            // An unknown order cannot become the current order.
            Err(Stop::UnknownOrder(_)) => Self::default(),
            Err(_) => of_order(scanned),
        }
    }
}
