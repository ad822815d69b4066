//! Wiring of webhooks: the client for external URLs, and the worker that sends events.

use std::sync::Arc;

use pressline_api::JsonTestEvents;
use pressline_auth::Sealer;
use pressline_backoffice::webhook::{
    EndpointPorts, EndpointService, EndpointUrls, SubscriptionRepository as _,
};
use pressline_cli::CommandError;
use pressline_egress::{Client, Limits, SystemResolver};
use pressline_webhooks::{EventSender, Outbound, Pace, Ports, Wake, Worker};

use crate::config::Egress;

use super::Adapters;

impl Adapters {
    pub(crate) fn event_sender(
        &self,
        sealer: Arc<Sealer>,
    ) -> Result<Arc<EventSender>, CommandError> {
        let timeout = self.settings.webhooks.worker().timeout;
        let outbound = Outbound::new(
            Arc::new(egress_client(&self.settings.egress)?),
            self.settings.egress.operators_urls()?,
            self.settings.egress.stores_urls()?,
            Limits::new(timeout),
        );
        let event_sender =
            EventSender::new(Arc::new(outbound), sealer, self.clock.clone(), timeout);
        Ok(Arc::new(event_sender))
    }

    /// Creates use cases that wake the worker through `wake` after a change of an endpoint.
    pub(crate) fn endpoint_service(
        &self,
        sealer: Arc<Sealer>,
        event_sender: Arc<EventSender>,
        wake: Wake,
    ) -> Result<EndpointService, CommandError> {
        let ports = EndpointPorts {
            endpoints: self.cold.clone(),
            stores: self.cold.clone(),
            feed: self.database.clone(),
            issuer: sealer,
            clock: self.clock.clone(),
            ids: self.ids.clone(),
            log: self.cold.clone(),
            log_days: self.settings.webhooks.log_days,
            orders: self.database.clone(),
            sender: event_sender,
            bodies: Arc::new(JsonTestEvents),
        };
        let urls = EndpointUrls {
            shop: self.settings.egress.operators_urls()?,
            stores: self.settings.egress.stores_urls()?,
        };
        Ok(EndpointService::new(ports, urls)
            .observed_by(Arc::new(wake))
            .audited(self.audit()))
    }

    pub(crate) fn webhook_worker(&self, event_sender: Arc<EventSender>, wake: Wake) -> Worker {
        let ports = Ports {
            endpoints: self.cold.clone(),
            subscriptions: self.cold.clone(),
            deliveries: self.cold.clone(),
            events: self.events(),
            event_sender,
            pace: Arc::new(self.pace()),
            permits: self.permits(),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
        };
        Worker::new(ports, self.settings.webhooks.worker(), wake)
    }

    /// Returns the function that tells whether events may be sent now.
    fn permits(&self) -> Arc<dyn Fn() -> bool + Send + Sync> {
        let monitor = self.monitor.clone();
        Arc::new(move || monitor.permits_work())
    }

    fn pace(&self) -> Pace {
        let database = self.database.clone();
        Pace::beside(move || database.writes().waited)
    }

    /// Makes webhook leases of an earlier process end after a pause, which grows with each restart
    /// (`RESTART_PAUSES`). Does nothing on PostgreSQL, because other servers may have leases.
    pub(crate) async fn end_leases(&self) -> Result<(), CommandError> {
        if self.postgres.is_some() {
            return Ok(());
        }
        let ended = self.cold.end_leases(self.clock.now()).await;
        ended.map_err(|error| {
            CommandError::database("the leases of webhooks cannot be ended", error)
        })
    }
}

pub(super) fn egress_client(egress: &Egress) -> Result<Client, CommandError> {
    Client::new(Arc::new(SystemResolver::default()), egress.trust()?)
        .map_err(|error| CommandError::other("the client for outbound requests", error))
}
