//! Callers of operations on webhook endpoints: stores, and operators.

use std::fmt::Display;

use pressline_backoffice::webhook::{EndpointCaller, EndpointService};

use crate::caller::{ByOperator, Signed};

pub(super) trait WebhookCall {
    fn caller(&self) -> EndpointCaller<'_>;

    /// Returns the use cases. In a call by an operator, they record the actions in the audit log.
    fn service(&self) -> EndpointService;

    /// Logs a change of `endpoint` by an operator. Does nothing in a call by a store.
    fn log_change(&self, endpoint: impl Display);
}

impl WebhookCall for Signed {
    fn caller(&self) -> EndpointCaller<'_> {
        self.store.as_ref().into()
    }

    fn service(&self) -> EndpointService {
        self.api.services.webhooks.clone()
    }

    fn log_change(&self, _endpoint: impl Display) {}
}

impl WebhookCall for ByOperator {
    fn caller(&self) -> EndpointCaller<'_> {
        (&self.caller.operator).into()
    }

    fn service(&self) -> EndpointService {
        self.api.services.webhooks.by(self.author())
    }

    fn log_change(&self, endpoint: impl Display) {
        tracing::info!(
            operator = self.caller.operator.name,
            token = %self.caller.token,
            call = self.right(),
            webhook = %endpoint,
            "an operator has changed a webhook endpoint"
        );
    }
}
