//! Wiring of production, the overview and statistics.

use std::sync::Arc;

use pressline_backoffice::overview::{OverviewPorts, OverviewService};
use pressline_backoffice::production::{ProductionPorts, ProductionService, Steps};
use pressline_backoffice::statistics::{StatisticsPorts, StatisticsService};
use pressline_backoffice::store::StoreAdmin;
use pressline_cli::CommandError;
use pressline_cli::services::Services as _;
use pressline_domain::order::OrderService;
use pressline_domain::runtime::Clock;

use super::Adapters;

impl Adapters {
    pub(crate) fn production_service(
        &self,
        orders: &OrderService,
        stores: &StoreAdmin,
        clock: Arc<dyn Clock>,
    ) -> Result<ProductionService, CommandError> {
        Ok(ProductionService::new(ProductionPorts {
            progress: self.cold.clone(),
            batches: self.cold.clone(),
            repository: self.database.clone(),
            orders: orders.clone(),
            stores: stores.clone(),
            operators: self.operators(),
            clock,
            steps: self.settings.production.steps()?,
        }))
    }

    pub(crate) fn statistics_service(&self) -> StatisticsService {
        StatisticsService::new(StatisticsPorts {
            orders: self.cold.clone(),
            stores: self.cold.clone(),
            clock: self.clock.clone(),
        })
    }

    pub(crate) fn overview_service(&self, steps: &Steps) -> OverviewService {
        OverviewService::new(OverviewPorts {
            queue: self.database.clone(),
            orders: self.database.clone(),
            overview: self.cold.clone(),
            stores: self.cold.clone(),
            clock: self.clock.clone(),
            steps: steps.clone(),
        })
    }
}
