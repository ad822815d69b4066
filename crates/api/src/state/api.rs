//! The services and limits of the API for stores, and of the API for operators.

use std::sync::Arc;

use pressline_backoffice::operator::OperatorAuthenticator;
use pressline_domain::store::Authenticator;
use pressline_http::health::{Health, Readiness};
use pressline_http::request_limits::RequestLimits;
use pressline_http::response_budget::ResponseBudget;

use super::fault::Faults;
use super::services::{OperatorServices, Services};
use super::settings::Settings;

/// The API for stores: its services and limits. Clones share everything.
#[derive(Clone)]
pub struct Api {
    pub(crate) services: Services,
    pub(crate) authenticator: Arc<dyn Authenticator>,
    pub(crate) health: Health,
    pub(crate) responses: ResponseBudget,
    pub(crate) request_limits: RequestLimits,
    pub(crate) faults: Faults,
}

impl Api {
    /// Creates an API for `services`, with limits from `settings`. `readiness` checks all
    /// dependencies of the service except the order repository, which is always checked.
    pub fn new(
        services: Services,
        authenticator: Arc<dyn Authenticator>,
        readiness: Arc<dyn Readiness>,
        settings: Settings,
    ) -> Self {
        let health = Health::new(
            services.repository.clone(),
            readiness,
            settings.readiness_age,
        );
        Self {
            services,
            authenticator,
            health,
            responses: ResponseBudget::new(settings.response_budget),
            request_limits: RequestLimits::new(&settings.request_limits()),
            faults: Faults::default(),
        }
    }

    /// Returns the checks of `/readyz`, to share their results with another listener.
    pub fn health(&self) -> Health {
        self.health.clone()
    }
}

/// The API for operators: its services and limits. Clones share everything. The API for stores
/// shares the services and the results of `/readyz`, but no limits.
#[derive(Clone)]
pub struct OperatorApi {
    pub(crate) services: OperatorServices,
    pub(crate) authenticator: Arc<dyn OperatorAuthenticator>,
    pub(crate) request_limits: RequestLimits,
    pub(crate) health: Health,
    pub(crate) responses: ResponseBudget,
}

impl OperatorApi {
    /// Creates an API for `services`, with limits of its own from `settings`. `health` comes from
    /// [`Api::health`].
    pub fn new(
        services: OperatorServices,
        authenticator: Arc<dyn OperatorAuthenticator>,
        health: Health,
        settings: &Settings,
    ) -> Self {
        Self {
            services,
            authenticator,
            request_limits: RequestLimits::new(&settings.request_limits()),
            health,
            responses: ResponseBudget::new(settings.response_budget),
        }
    }

    /// Returns the request limits, to share them with other routes of the same listener.
    pub fn request_limits(&self) -> RequestLimits {
        self.request_limits.clone()
    }

    /// Returns the response budget of this API, to share it with other routes of the same listener.
    pub fn responses(&self) -> ResponseBudget {
        self.responses.clone()
    }
}
