//! Conversion of domain errors into request errors, with codes and messages.

use pressline_backoffice::operator::{
    FileImportError, OperatorDenied, OperatorError, SessionError,
};
use pressline_backoffice::production::ProductionError;
use pressline_backoffice::store::StoreError;
use pressline_backoffice::webhook::WebhookError;
use pressline_domain::catalog::ProductError;
use pressline_domain::check::{IssueCode, Violation};
use pressline_domain::error::RepositoryError;
use pressline_domain::event::FeedError;
use pressline_domain::order::{OrderError, OrderIdentity};
use pressline_domain::store::Denied;
use pressline_domain::value::ItemId;

use crate::error::Code;
use crate::request_error::{Detail, IllegalTransition, RequestError, chain};

impl From<Denied> for RequestError {
    fn from(denied: Denied) -> Self {
        let code = match denied {
            Denied::Permission(reason) => return Self::permission_denied(reason, Vec::new()),
            Denied::KeyUnreadable(_) => return Self::not_now(chain(&denied)),
            Denied::Repository(error) => return error.into(),
            Denied::TimestampOutOfRange => Code::TimestampOutOfRange,
            Denied::TimestampRequired => Code::TimestampRequired,
            // A new variant of the domain's error needs a code here. Until then, the call is
            // refused.
            _ => return Self::internal(chain(&denied)),
        };
        Self::new(code, denied.to_string())
    }
}

impl From<OperatorDenied> for RequestError {
    fn from(denied: OperatorDenied) -> Self {
        match denied {
            OperatorDenied::Token(reason) => Self::token_denied(reason, Vec::new()),
            OperatorDenied::Repository(error) => error.into(),
            // A new variant needs a code here.
            _ => Self::internal(chain(&denied)),
        }
    }
}

impl From<SessionError> for RequestError {
    fn from(error: SessionError) -> Self {
        let message = error.to_string();
        match error {
            SessionError::Denied
            | SessionError::LinkDenied
            | SessionError::CurrentNeeded
            | SessionError::Unfit(_) => Self::new(Code::ValidationFailed, message),
            SessionError::TooManyTries { retry_after } => {
                Self::new(Code::RateLimited, message).retried_after(retry_after)
            }
            SessionError::Busy { retry_after } => {
                Self::new(Code::Unavailable, message).retried_after(retry_after)
            }
            SessionError::Ended => Self::session_ended(message),
            SessionError::Repository(error) => error.into(),
            SessionError::NotFound(_) => Self::new(Code::NotFound, message),
            SessionError::Carrier(_) => Self::new(Code::ValidationFailed, message),
            // A new variant needs a code here.
            other => Self::internal(chain(&other)),
        }
    }
}

impl From<StoreError> for RequestError {
    fn from(error: StoreError) -> Self {
        let code = match error {
            StoreError::NotFound(_) => Code::StoreNotFound,
            StoreError::NoSuchKey(_) => Code::KeyNotFound,
            StoreError::PrefixTaken(_) => Code::DuplicatePrefix,
            StoreError::VersionConflict { .. } => Code::VersionConflict,
            StoreError::Bound => Code::Forbidden,
            StoreError::Invalid(report) => {
                return Self::listing(Code::ValidationFailed, report.violations)
                    .warned(report.warnings);
            }
            StoreError::Repository(error) => return error.into(),
            // The master key belongs to the configuration, so no caller can correct it.
            other => return Self::internal(chain(&other)),
        };
        Self::new(code, error.to_string())
    }
}

impl From<FileImportError> for RequestError {
    fn from(error: FileImportError) -> Self {
        let (field, code) = match error {
            FileImportError::Invalid(report) => {
                return Self::listing(Code::ValidationFailed, report.violations)
                    .warned(report.warnings);
            }
            FileImportError::Store(error) => return error.into(),
            FileImportError::Repository(error) => return error.into(),
            FileImportError::Bound => return Self::new(Code::Forbidden, error.to_string()),
            FileImportError::Disabled(_) => ("storeId", IssueCode::Conflict),
            FileImportError::Empty(_) => ("file", IssueCode::Required),
        };
        let violation = Violation {
            field: field.to_owned(),
            code,
            message: error.to_string(),
        };
        Self::listing(Code::ValidationFailed, vec![violation])
    }
}

impl From<OperatorError> for RequestError {
    fn from(error: OperatorError) -> Self {
        let field = match error {
            OperatorError::NotFound(_) | OperatorError::NoSuchToken(_) => {
                return Self::new(Code::NotFound, error.to_string());
            }
            OperatorError::Name | OperatorError::NameTaken(_) => "name",
            OperatorError::Carrier => "role",
            OperatorError::Repository(error) => return error.into(),
            // Only the command line creates tokens, so callers cannot cause other errors.
            other => return Self::internal(chain(&other)),
        };
        let violation = Violation {
            field: field.to_owned(),
            code: IssueCode::InvalidFormat,
            message: error.to_string(),
        };
        Self::listing(Code::ValidationFailed, vec![violation])
    }
}

impl From<WebhookError> for RequestError {
    fn from(error: WebhookError) -> Self {
        let code = match error {
            WebhookError::NotFound => Code::WebhookNotFound,
            WebhookError::DeliveryNotFound => Code::DeliveryNotFound,
            WebhookError::StoreNotFound(_) => Code::StoreNotFound,
            WebhookError::OrderNotFound => Code::OrderNotFound,
            WebhookError::TooMany => Code::TooManyWebhooks,
            WebhookError::Disabled => Code::WebhookDisabled,
            WebhookError::NotATestStore => Code::NotATestStore,
            WebhookError::Invalid(report) => {
                return Self::listing(Code::ValidationFailed, report.violations)
                    .warned(report.warnings);
            }
            WebhookError::Repository(error) => return error.into(),
            // A new variant needs a code here.
            other => return Self::internal(chain(&other)),
        };
        Self::new(code, error.to_string())
    }
}

impl From<RepositoryError> for RequestError {
    fn from(error: RepositoryError) -> Self {
        let reason = chain(&error);
        if error.is_transient() {
            return Self::not_now(reason);
        }
        Self::internal(reason)
    }
}

impl From<ProductError> for RequestError {
    fn from(error: ProductError) -> Self {
        match error {
            ProductError::Invalid(report) => OrderError::from(report).into(),
            ProductError::Repository(error) => OrderError::Repository(error).into(),
        }
    }
}

impl From<OrderError> for RequestError {
    fn from(error: OrderError) -> Self {
        match error {
            OrderError::Invalid {
                violations,
                warnings,
            } => Self::listing(Code::ValidationFailed, violations).warned(warnings),
            OrderError::UnknownItem(violations) => Self::listing(Code::UnknownItem, violations),
            OrderError::NotATestStore => Self::plain(Code::NotATestStore),
            OrderError::NotFound => Self::new(Code::OrderNotFound, "there is no such order"),
            OrderError::NotEditable { items, violations } => Self {
                errors: violations,
                detail: Some(Box::new(Detail::Items(items))),
                ..Self::new(Code::OrderNotEditable, "the order can no longer be changed")
            },
            OrderError::ChangePending { items } => Self {
                detail: Some(Box::new(Detail::Items(items))),
                ..Self::new(
                    Code::ChangePending,
                    "another change of the order waits for a decision",
                )
            },
            OrderError::IllegalTransition {
                from,
                to,
                allowed,
                items,
            } => {
                let message = format!("not possible while an item is {from}");
                let transition = IllegalTransition {
                    from,
                    to,
                    allowed,
                    items,
                };
                Self {
                    detail: Some(Box::new(Detail::Transition(transition))),
                    ..Self::new(Code::IllegalTransition, message)
                }
            }
            OrderError::VersionConflict { current } => Self::new(
                Code::VersionConflict,
                format!("the order is at version {current}; read it again before you change it"),
            ),
            OrderError::UnknownShipment => {
                Self::new(Code::ShipmentNotFound, "there is no such shipment")
            }
            OrderError::DuplicateShipment(shipment) => Self::new(
                Code::DuplicateShipment,
                format!("the shipment {shipment} has this reference or number, and other content"),
            ),
            OrderError::Duplicate {
                existing,
                differing,
            } => duplicate(existing, differing),
            OrderError::Ambiguous { candidates } => ambiguous(*candidates),
            OrderError::Repository(error) => error.into(),
            // A new variant of the domain's error needs a code here. Until then, it counts as a
            // defect.
            other => Self::internal(chain(&other)),
        }
    }
}

impl From<FeedError> for RequestError {
    fn from(error: FeedError) -> Self {
        let message = error.to_string();
        match error {
            FeedError::PositionAhead { last_sequence, .. } => Self {
                detail: Some(Box::new(Detail::LastSequence(last_sequence))),
                ..Self::new(Code::PositionAhead, message)
            },
            FeedError::Repository(error) => error.into(),
            // A new variant of the domain's error needs a code here.
            other => Self::internal(chain(&other)),
        }
    }
}

impl From<ProductionError> for RequestError {
    fn from(error: ProductionError) -> Self {
        let code = match error {
            ProductionError::Order(error) => return error.into(),
            ProductionError::NotProducible {
                first,
                items,
                violations,
            } => return not_producible(*first, items, violations),
            ProductionError::ItemsInBatch(violations) => {
                return Self::listing(Code::ItemInBatch, violations);
            }
            ProductionError::OutOfOrder(_) => Code::StepOutOfOrder,
            ProductionError::BatchNotFound => Code::BatchNotFound,
            ProductionError::BatchClosed(_) => Code::BatchClosed,
            // A new variant needs a code here.
            other => return Self::internal(chain(&other)),
        };
        Self::new(code, error.to_string())
    }
}

/// Takes code and message from `first`, the error of the first item. Lists `items` only if `first`
/// is about the status of an item.
fn not_producible(
    first: OrderError,
    items: Vec<ItemId>,
    violations: Vec<Violation>,
) -> RequestError {
    let mut error = RequestError {
        errors: violations,
        ..RequestError::from(first)
    };
    if let Some(Detail::Transition(transition)) = error.detail.as_deref_mut() {
        transition.items = items;
    }
    error
}

fn ambiguous(candidates: [OrderIdentity; 2]) -> RequestError {
    let name = |order: &OrderIdentity| format!("{} (id {})", order.service_order_id, order.id);
    let names: Vec<String> = candidates.iter().map(name).collect();
    let message = format!(
        "the name fits two orders, {}; name the order by its id",
        names.join(" and ")
    );
    RequestError {
        detail: Some(Box::new(Detail::Candidates(candidates))),
        ..RequestError::new(Code::AmbiguousOrderId, message)
    }
}

fn duplicate(existing: OrderIdentity, differing: Vec<String>) -> RequestError {
    let errors = differing.into_iter().map(|field| Violation {
        field,
        code: IssueCode::Differs,
        message: "differs from the request that created the order".to_owned(),
    });
    let message = format!(
        "another request created the order {} with this order_id",
        existing.service_order_id
    );
    RequestError {
        errors: errors.collect(),
        detail: Some(Box::new(Detail::Existing(existing))),
        ..RequestError::new(Code::DuplicateOrderId, message)
    }
}
