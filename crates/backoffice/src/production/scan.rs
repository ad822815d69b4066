//! What a scan at a station does.

use std::collections::HashMap;

use super::ProductionError;
use super::code::{ItemCode, ScannedCode};
use super::joined::{SplitScan, named_orders, split_joined};
use super::produced_item::ProducedItem;
use super::service::{ProductionService, item_numbered};
use super::steps::StepName;
use super::stop::Stop;
use crate::operator::Operator;
use pressline_domain::field::Field;
use pressline_domain::fulfilment::{Caller, Shipment};
use pressline_domain::id::ServiceOrderId;
use pressline_domain::limits;
use pressline_domain::order::OrderError;

/// Where a station is in its work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bench {
    /// The present order.
    pub order: Option<ServiceOrderId>,
    /// Label that waits for a confirming scan of an item of the present order.
    pub label: Option<String>,
    /// Code of another order that was refused. No label is accepted until an item of the present order is scanned.
    pub other: Option<ScannedCode>,
}

/// A scan at a station, as it came in.
#[derive(Clone, Debug)]
pub struct ScanDraft {
    /// The step of the station.
    pub step: StepName,
    /// The scanned text: one code or label.
    pub text: String,
    /// Number of units; absent for all that wait at the step.
    pub units: Field<i64>,
    /// The caller's own name of the request.
    pub once: Field<String>,
    /// Carrier of a parcel; absent if it is not known.
    pub carrier: Field<String>,
    /// Whether a label waits until an item of its order is scanned again.
    pub confirms: bool,
}

/// What a scan has done.
#[derive(Clone, Debug, PartialEq)]
pub struct ScanResult {
    /// Where the station is now.
    pub bench: Bench,
    /// The scanned item; `None` for other codes.
    pub item: Option<ItemCode>,
    /// What was done, or why nothing was.
    pub outcome: Result<ScanOutcome, Stop>,
}

/// What a scan has done, unless it was stopped.
#[derive(Clone, Debug, PartialEq)]
pub enum ScanOutcome {
    /// Units were recorded, now or before.
    Recorded {
        /// The item.
        item: Box<ProducedItem>,
        /// Whether they were recorded before.
        replayed: bool,
        /// What its order still needs.
        progress: OrderProgress,
    },
    /// The order is the present one. Nothing was recorded.
    Chosen(ServiceOrderId),
    /// The label waits for a confirming scan.
    Labelled {
        /// The order.
        order: ServiceOrderId,
        /// Its label.
        label: String,
        /// Whether it waited before.
        replayed: bool,
    },
    /// The order was sent.
    Sent(ServiceOrderId, Box<Shipment>),
    /// The label is that of a parcel which was sent before.
    SentBefore {
        /// The label.
        label: String,
        /// The order.
        order: ServiceOrderId,
    },
}

/// What an order still needs at a step.
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
    /// Returns whether nothing has changed, because it was scanned before.
    pub fn is_repeated(&self) -> bool {
        match self {
            Self::Recorded { replayed, .. } | Self::Labelled { replayed, .. } => *replayed,
            Self::SentBefore { .. } => true,
            Self::Chosen(_) | Self::Sent(..) => false,
        }
    }
}

/// A scan of an operator at a station.
pub(super) struct Scan<'a> {
    pub(super) service: &'a ProductionService,
    pub(super) operator: &'a Operator,
    pub(super) by: &'a Caller,
    pub(super) draft: &'a ScanDraft,
    pub(super) bench: &'a Bench,
    pub(super) step: usize,
    pub(super) is_last: bool,
}

pub(super) type Outcome = Result<Result<ScanOutcome, Stop>, ProductionError>;

impl ProductionService {
    /// Takes a scanned text apart; [`Stop::Joined`] if that is not clear.
    ///
    /// # Errors
    /// [`OrderError::Repository`].
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
        // Most texts are one code of a store.
        if let Some(prefix) = prefix
            && self.ports.stores.by_prefix().get(&prefix).await?.is_some()
        {
            return Ok(Ok(vec![text.trim().to_owned()]));
        }
        if text.chars().count() > limits::SCANNED_TEXT {
            return Ok(Err(Stop::NotACode(text.to_owned())));
        }
        let prefixes = self.ports.stores.prefixes().await?;
        let mut orders = HashMap::new();
        for number in named_orders(text, &prefixes) {
            match self.order_named(operator, number.to_string().into()).await {
                Ok(order) => drop(orders.insert(number, order)),
                Err(OrderError::NotFound) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let has_item = |code: &ItemCode| {
            let order = orders.get(&code.order);
            order.is_some_and(|order| item_numbered(order, code.number).is_some())
        };
        Ok(match split_joined(text, &prefixes, has_item) {
            SplitScan::Parts(parts) => Ok(parts),
            SplitScan::Unclear(pieces) => Err(Stop::Joined(pieces)),
        })
    }

    /// Carries out a scan at a station.
    ///
    /// At the last step, items of one order are brought together. When all its units are there, the next scan is its
    /// label, with which it is sent.
    ///
    /// # Errors
    /// [`OrderError::Invalid`] if `units`, `once` or `carrier` is wrong, and [`OrderError::Repository`]. Everything else
    /// that prevents a scan is a [`Stop`].
    #[pressline_kit::boxed]
    pub async fn scan(
        &self,
        operator: &Operator,
        bench: &Bench,
        draft: &ScanDraft,
        by: &Caller,
    ) -> Result<ScanResult, ProductionError> {
        let steps = &self.ports.steps;
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
        let outcome = match &code {
            Some(ScannedCode::Item(code)) => scan.item(code).await?,
            Some(ScannedCode::Order(number)) => scan.order(number).await?,
            Some(ScannedCode::Batch(number)) => Err(Stop::Batch(*number)),
            None => scan.label(draft.text.trim(), draft.confirms).await?,
        };
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
    /// Returns where the station is after a scan. With `keeps_order`, a refused code of another order does not replace
    /// the present order.
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
            Ok(ScanOutcome::SentBefore { order, .. }) if self.order.as_ref() == Some(order) => {
                Self::default()
            }
            Ok(ScanOutcome::SentBefore { .. }) => self.clone(),
            Err(_) if scanned.is_none() || scanned == self.order => self.clone(),
            Err(_) if keeps_order => Self {
                other: code.cloned(),
                ..self.clone()
            },
            Err(Stop::UnknownOrder(_)) => Self::default(),
            Err(_) => of_order(scanned),
        }
    }
}
