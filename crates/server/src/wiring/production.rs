//! Wiring of production, of the overview and of figures.

use std::sync::Arc;

use pressline_domain::figures::{FiguresPorts, FiguresService};
use pressline_domain::order::OrderService;
use pressline_domain::overview::{OverviewPorts, OverviewService};
use pressline_domain::production::{ProductionPorts, ProductionService, Steps};
use pressline_domain::runtime::Clock;
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
        self.production_service_at(settings, orders, stores, self.clock.clone())
    }

    /// Returns the use cases of production by another clock.
    ///
    /// # Errors
    /// As [`Adapters::production_service`].
    pub(crate) fn production_service_at(
        &self,
        settings: &Settings,
        orders: &OrderService,
        stores: &StoreAdmin,
        clock: Arc<dyn Clock>,
    ) -> Result<ProductionService, CommandError> {
        Ok(ProductionService::new(ProductionPorts {
            progress: self.progress.clone(),
            batches: self.batches.clone(),
            repository: self.orders.clone(),
            orders: orders.clone(),
            stores: stores.clone(),
            operators: self.operator_admin(),
            clock,
            steps: settings.steps()?,
        }))
    }

    /// Returns the use case of figures.
    pub(crate) fn figures_service(&self) -> FiguresService {
        FiguresService::new(FiguresPorts {
            orders: self.figures.clone(),
            stores: self.stores.clone(),
            clock: self.clock.clone(),
        })
    }

    /// Returns the use case of the overview of the day, with these steps of production.
    pub(crate) fn overview_service(&self, steps: &Steps) -> OverviewService {
        OverviewService::new(OverviewPorts {
            queue: self.queue.clone(),
            orders: self.orders.clone(),
            overview: self.overview.clone(),
            stores: self.stores.clone(),
            clock: self.clock.clone(),
            steps: steps.clone(),
        })
    }
}
