//! Connects what operators sign in with, and the audit.

use std::sync::Arc;
use std::time::Instant;

use pressline_auth::{Argon2Hasher, SystemSecrets};
use pressline_domain::audit::Audit;
use pressline_domain::operator::{
    FormService, OperatorAdmin, SessionPorts, SessionService, UploadService,
};
use pressline_domain::order::OrderService;
use pressline_domain::store::ChecklistService;
use pressline_domain::store::StoreAdmin;
use pressline_domain::task::TaskService;

use super::{Adapters, DatabaseStore};
use crate::status::{DatabaseStatus, ServerStatus};

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

    /// The files that operators have sent for an import.
    pub(crate) fn upload_service(&self) -> UploadService {
        UploadService::new(self.uploads.clone(), self.clock.clone(), self.ids.clone())
    }

    /// The commands about more orders than one call moves.
    pub(crate) fn task_service(&self, orders: OrderService, stores: StoreAdmin) -> TaskService {
        TaskService::new(
            self.tasks.clone(),
            orders,
            stores,
            self.clock.clone(),
            self.ids.clone(),
        )
    }

    /// What stores need, and what of it they have.
    pub(crate) fn checklist_service(&self) -> ChecklistService {
        ChecklistService::new(
            self.catalog.clone(),
            self.endpoints.clone(),
            self.clock.clone(),
        )
    }

    /// How the program and its database are, from now on.
    pub(crate) fn status(&self) -> ServerStatus {
        let database = match &self.database {
            DatabaseStore::Sqlite(store) => DatabaseStatus::Sqlite(store.clone()),
            DatabaseStore::Postgres(store) => DatabaseStatus::Postgres(store.clone()),
        };
        ServerStatus {
            database,
            orders: self.orders.clone(),
            clock: self.clock.clone(),
            started: Instant::now(),
        }
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
