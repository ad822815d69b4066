//! Access to the parts of an OpenAPI document.

use utoipa::openapi::path::{Operation as Described, PathItem};
use utoipa::openapi::{Content, RefOr};

pub(super) fn methods(item: &mut PathItem) -> impl Iterator<Item = &mut Described> {
    // The documents describe probes by GET and operations by POST, and no other method.
    [&mut item.get, &mut item.post].into_iter().flatten()
}

pub(super) fn body_contents(operation: &mut Described) -> impl Iterator<Item = &mut Content> {
    let bodies = operation.request_body.iter_mut().filter_map(owned);
    bodies
        .flat_map(|body| body.content.values_mut())
        .filter_map(owned)
}

pub(super) fn owned<T>(value: &mut RefOr<T>) -> Option<&mut T> {
    match value {
        RefOr::T(value) => Some(value),
        RefOr::Ref(_) => None,
    }
}
