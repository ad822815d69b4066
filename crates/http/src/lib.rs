//! The HTTP face of the service, on actix-web.
