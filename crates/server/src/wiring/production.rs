//! Wiring of production.

use pressline_domain::order::OrderService;
use pressline_domain::overview::{OverviewPorts, OverviewService};
use pressline_domain::production::{ProductionPorts, ProductionService, Steps};
use pressline_domain::store::StoreAdmin;

use super::Adapters;
use crate::config::Settings;
use crate::error::CommandError;

impl Adapters {
    /// Returns the use cases of production.
    ///
    /// # Errors
    /// The settings name no steps that production can have.
    pub(crate) fn production_service(
        &self,
        settings: &Settings,
        orders: &OrderService,
        stores: &StoreAdmin,
    ) -> Result<ProductionService, CommandError> {
        Ok(ProductionService::new(ProductionPorts {
            progress: self.progress.clone(),
            batches: self.batches.clone(),
            repository: self.orders.clone(),
            orders: orders.clone(),
            stores: stores.clone(),
            operators: self.operator_admin(),
            clock: self.clock.clone(),
            steps: settings.steps()?,
        }))
    }

    /// Returns the use case of the overview of the day, with these steps of production.
    pub(crate) fn overview_service(&self, steps: &Steps) -> OverviewService {
        OverviewService::new(OverviewPorts {
            queue: self.queue.clone(),
            overview: self.overview.clone(),
            stores: self.stores.clone(),
            clock: self.clock.clone(),
            steps: steps.clone(),
        })
    }
}
