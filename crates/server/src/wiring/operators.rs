//! Wiring of services for operators: production, the overview, statistics, forms and files.

use std::sync::Arc;
use std::time::Instant;

use pressline_backoffice::checklist::ChecklistService;
use pressline_backoffice::file_source::FileSource;
use pressline_backoffice::operator::{FormService, UploadService};
use pressline_backoffice::overview::OverviewService;
use pressline_backoffice::production::{ProductionService, Steps};
use pressline_backoffice::statistics::StatisticsService;
use pressline_backoffice::store::StoreAdmin;
use pressline_backoffice::task::TaskService;
use pressline_cli::CommandError;
use pressline_domain::order::OrderService;
use pressline_domain::runtime::SystemClock;
use pressline_egress::{FileLimits, StoreFiles};

use crate::config::Egress;
use crate::status::ServerStatus;

use super::Adapters;
use super::webhooks::egress_client;

impl Adapters {
    pub(crate) fn production_service(
        &self,
        orders: &OrderService,
        stores: &StoreAdmin,
    ) -> Result<ProductionService, CommandError> {
        Ok(ProductionService {
            progress: self.cold.clone(),
            batches: self.cold.clone(),
            orders: orders.read.clone(),
            moves: orders.moves.clone(),
            shipper: orders.ship.clone(),
            clock: self.clock.clone(),
            stores: stores.clone(),
            operators: self.operators(),
            steps: self.settings.production.steps()?,
        })
    }

    pub(crate) fn statistics_service(&self) -> StatisticsService {
        StatisticsService {
            orders: self.cold.clone(),
            stores: self.cold.clone(),
            clock: self.clock.clone(),
            permits: Arc::default(),
        }
    }

    pub(crate) fn overview_service(&self, steps: &Steps) -> OverviewService {
        OverviewService {
            queue: self.database.clone(),
            orders: self.database.clone(),
            overview: self.cold.clone(),
            stores: self.cold.clone(),
            clock: self.clock.clone(),
            steps: steps.clone(),
        }
    }

    pub(crate) fn form_service(&self) -> FormService {
        FormService {
            results: self.cold.clone(),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
        }
    }

    pub(crate) fn upload_service(&self) -> UploadService {
        UploadService {
            files: self.cold.clone(),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
        }
    }

    pub(crate) fn task_service(&self, orders: OrderService, stores: StoreAdmin) -> TaskService {
        let monitor = self.monitor.clone();
        TaskService::new(
            self.cold.clone(),
            orders.moves,
            stores,
            self.clock.clone(),
            self.ids.clone(),
        )
        .permitted_by(Arc::new(move || monitor.permits_work()))
    }

    pub(crate) fn checklist_service(&self) -> ChecklistService {
        ChecklistService::new(self.database.clone(), self.cold.clone(), self.clock.clone())
    }

    pub(crate) fn status(&self) -> ServerStatus {
        ServerStatus {
            database: self.database.clone(),
            clock: Arc::new(SystemClock),
            monitor: self.monitor.clone(),
            deficiencies: self.deficiencies.clone(),
            started: Instant::now(),
        }
    }
}

/// Returns the source that fetches print files from the URLs of stores.
pub(crate) fn file_source(egress: &Egress) -> Result<Arc<dyn FileSource>, CommandError> {
    let client = Arc::new(egress_client(egress)?);
    let (policy, limits) = (egress.stores_urls()?, FileLimits::default());
    Ok(Arc::new(StoreFiles::new(client, policy, limits)))
}
