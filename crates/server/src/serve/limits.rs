//! Limits of the two listeners, from the settings.

use std::num::NonZeroU32;
use std::time::Duration;

use pressline_api::Settings as ApiSettings;
use pressline_http::{InFlightLimit, RateLimit, ServerSettings};

use crate::config::{Http, Settings};

/// Maximum total bytes of operators' request bodies, with import files, in memory at a time.
const OPERATOR_BODIES: usize = 32 * 1024 * 1024;
/// Maximum total bytes of large responses to operators in memory at a time.
const OPERATOR_RESPONSES: u64 = 64 * 1024 * 1024;
/// Maximum number of concurrent calls per operator token. It is lower than the limit of a store, so
/// that connections to the database are left for the calls of stores.
const OPERATOR_CALLS: usize = 8;
/// Number of threads that serve operators. One is enough: calls of stores have other threads.
const OPERATOR_WORKERS: usize = 1;

pub(super) fn of_stores(settings: &Settings) -> ApiSettings {
    let limit = &settings.rate_limit;
    ApiSettings {
        body_deadline: Duration::from_secs(settings.http.body_deadline_seconds),
        rate_limit: limit.enabled.then(|| RateLimit {
            per_minute: at_least_one(limit.per_minute),
            burst: at_least_one(limit.burst),
        }),
        in_flight: InFlightLimit {
            calls: settings.in_flight.calls,
            searches: settings.in_flight.searches,
            large: settings.in_flight.large,
            ..InFlightLimit::default()
        },
        ..ApiSettings::default()
    }
}

/// Returns the API limits for operators. An operator may make all calls of a minute in one burst.
pub(super) fn of_operators(settings: &Settings) -> ApiSettings {
    let per_minute = at_least_one(settings.operator.per_minute);
    ApiSettings {
        body_deadline: Duration::from_secs(settings.http.body_deadline_seconds),
        body_budget: OPERATOR_BODIES,
        response_budget: OPERATOR_RESPONSES,
        rate_limit: Some(RateLimit {
            per_minute,
            burst: per_minute,
        }),
        in_flight: InFlightLimit {
            calls: OPERATOR_CALLS,
            ..InFlightLimit::default()
        },
        ..ApiSettings::default()
    }
}

fn at_least_one(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN)
}

pub(super) fn server_of_stores(http: &Http) -> ServerSettings {
    let defaults = ServerSettings::default();
    ServerSettings {
        workers: if http.workers == 0 {
            defaults.workers
        } else {
            http.workers
        },
        keep_alive: Duration::from_secs(http.keep_alive_seconds),
        shutdown_timeout: Duration::from_secs(http.shutdown_seconds),
        ..defaults
    }
}

pub(super) fn server_of_operators(http: &Http) -> ServerSettings {
    ServerSettings {
        workers: OPERATOR_WORKERS,
        ..server_of_stores(http)
    }
}
