//! Wiring of production, of the overview and of figures.

use std::sync::Arc;

use pressline_backoffice::figures::{FiguresPorts, FiguresService};
use pressline_backoffice::overview::{OverviewPorts, OverviewService};
use pressline_backoffice::production::{
    ProductionPorts, ProductionService, ShipmentExport, ShipmentExportPorts, Steps,
};
use pressline_backoffice::store::StoreAdmin;
use pressline_cli::CommandError;
use pressline_domain::order::OrderService;
use pressline_domain::runtime::Clock;

use crate::config::Settings;

use super::Adapters;

impl Adapters {
    pub(crate) fn production_service(
        &self,
        settings: &Settings,
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
            operators: self.operator_admin(),
            clock,
            steps: settings.production.steps()?,
        }))
    }

    pub(crate) fn shipment_export(&self) -> ShipmentExport {
        ShipmentExport::new(ShipmentExportPorts {
            queue: self.queue_service(),
            batches: self.cold.clone(),
            orders: self.order_service(),
            stores: self.cold.clone(),
        })
    }

    pub(crate) fn figures_service(&self) -> FiguresService {
        FiguresService::new(FiguresPorts {
            orders: self.database.clone(),
            stores: self.cold.clone(),
            clock: self.clock.clone(),
        })
    }

    pub(crate) fn overview_service(&self, steps: &Steps) -> OverviewService {
        OverviewService::new(OverviewPorts {
            queue: self.database.clone(),
            orders: self.database.clone(),
            overview: self.database.clone(),
            stores: self.cold.clone(),
            clock: self.clock.clone(),
            steps: steps.clone(),
        })
    }
}
