//! Wiring of forms, uploads, tasks, the checklist and the status for operators.

use std::time::Instant;

use pressline_backoffice::checklist::ChecklistService;
use pressline_backoffice::operator::{FormService, UploadService};
use pressline_backoffice::store::StoreAdmin;
use pressline_backoffice::task::TaskService;
use pressline_domain::order::OrderService;

use crate::status::ServerStatus;

use super::Adapters;

impl Adapters {
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
}
