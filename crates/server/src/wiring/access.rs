//! Connects what operators sign in with, and the audit.

use std::sync::Arc;
use std::time::Instant;

use pressline_auth::{Argon2Hasher, SystemSecrets};
use pressline_backoffice::audit::Audit;
use pressline_backoffice::operator::{
    FormService, OperatorAdmin, SessionPorts, SessionService, UploadService,
};
use pressline_backoffice::store::ChecklistService;
use pressline_backoffice::store::StoreAdmin;
use pressline_backoffice::task::TaskService;
use pressline_domain::order::OrderService;

use crate::status::ServerStatus;

use super::Adapters;

impl Adapters {
    pub(crate) fn audit(&self) -> Audit {
        Audit::new(self.cold.clone(), self.clock.clone(), self.ids.clone())
    }

    /// The sessions of operators. Make one of them in a process: it counts tries.
    pub(crate) fn session_service(&self) -> SessionService {
        let ports = SessionPorts {
            sessions: self.cold.clone(),
            accounts: self.cold.clone(),
            hasher: Arc::new(Argon2Hasher::default()),
            secrets: Arc::new(SystemSecrets),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
        };
        SessionService::new(ports, self.audit())
    }

    pub(crate) fn form_service(&self) -> FormService {
        FormService::new(self.cold.clone(), self.clock.clone(), self.ids.clone())
    }

    pub(crate) fn upload_service(&self) -> UploadService {
        UploadService::new(self.cold.clone(), self.clock.clone(), self.ids.clone())
    }

    pub(crate) fn task_service(&self, orders: OrderService, stores: StoreAdmin) -> TaskService {
        TaskService::new(
            self.cold.clone(),
            orders,
            stores,
            self.clock.clone(),
            self.ids.clone(),
        )
    }

    pub(crate) fn checklist_service(&self) -> ChecklistService {
        ChecklistService::new(self.database.clone(), self.cold.clone(), self.clock.clone())
    }

    pub(crate) fn status(&self) -> ServerStatus {
        ServerStatus {
            database: self.database.clone(),
            clock: self.clock.clone(),
            started: Instant::now(),
        }
    }

    pub(crate) fn operator_admin(&self) -> OperatorAdmin {
        OperatorAdmin::new(
            self.cold.clone(),
            Arc::new(SystemSecrets),
            self.clock.clone(),
            self.ids.clone(),
        )
        .audited(self.audit())
    }
}
