//! Connects what operators sign in with, and the audit.

use std::sync::Arc;

use pressline_auth::{Argon2Hasher, SystemSecrets};
use pressline_domain::audit::Audit;
use pressline_domain::operator::{FormService, OperatorAdmin, SessionPorts, SessionService};

use super::Adapters;

impl Adapters {
    /// The audit.
    pub(crate) fn audit(&self) -> Audit {
        Audit::new(self.audit.clone(), self.clock.clone(), self.ids.clone())
    }

    /// The sessions of operators. Make one of them in a process: it counts tries.
    pub(crate) fn session_service(&self) -> SessionService {
        let ports = SessionPorts {
            sessions: self.sessions.clone(),
            accounts: self.accounts.clone(),
            hasher: Arc::new(Argon2Hasher::default()),
            secrets: Arc::new(SystemSecrets),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
        };
        SessionService::new(ports, self.audit())
    }

    /// The forms of the console that must not be sent twice.
    pub(crate) fn form_service(&self) -> FormService {
        FormService::new(self.forms.clone(), self.clock.clone(), self.ids.clone())
    }

    /// The administration of operators.
    pub(crate) fn operator_admin(&self) -> OperatorAdmin {
        OperatorAdmin::new(
            self.operators.clone(),
            Arc::new(SystemSecrets),
            self.clock.clone(),
            self.ids.clone(),
        )
        .audited(self.audit())
    }
}
