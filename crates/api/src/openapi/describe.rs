//! Adds operations to an OpenAPI document.

use pressline_http::error::{Code, Definition};
use utoipa::openapi::path::{Operation as Described, PathItem};
use utoipa::openapi::{OpenApi, Ref, RefOr};

use super::common::{
    common_headers, fault_parameter, header_references, request_id_parameter, timestamp_parameter,
};
use super::description::document_of;
use super::errors::{error_response, errors_of, response_name};
use super::examples::{examples, show_examples};
use super::parts::methods;
use super::requests;
use super::security::security;
use crate::caller::Access;
use crate::operation::Operation;

pub(super) fn describe(
    document: &mut OpenApi,
    operations: impl Iterator<Item = &'static Operation> + Clone,
) {
    for item in document.paths.paths.values_mut() {
        for probe in methods(item) {
            // An empty list says that probes need no signature; linters take its absence for an
            // omission.
            probe.security = Some(Vec::new());
            refer_to_errors(probe, [vec![Code::MethodNotAllowed.definition()]]);
        }
    }
    for operation in operations.clone() {
        document.merge(described(operation));
    }
    let of_operations = operations.clone().flat_map(errors_of);
    // The probes are not in `operations`, so their error is added.
    let errors = of_operations
        .chain([vec![Code::MethodNotAllowed.definition()]])
        .map(|definitions| {
            (
                response_name(&definitions),
                RefOr::T(error_response(&definitions)),
            )
        });
    let components = document.components.get_or_insert_default();
    components.responses.extend(errors);
    components.examples.extend(operations.flat_map(examples));
    components.parameters.extend([request_id_parameter()]);
    components.headers.extend(common_headers());
}

/// Refers to parameters, headers, examples and errors, which [`describe`] adds.
fn described(operation: &Operation) -> OpenApi {
    let mut document = document_of(operation);
    if let Some(request) = operation.request {
        requests::specialise(&mut document, request);
    }
    let Some(path_item) = document.paths.paths.get_mut(operation.rules.path) else {
        return document;
    };
    for described in methods(path_item) {
        complete(operation, described);
    }
    let item = path_item.clone();
    for (path, id) in operation.aliases {
        let alias = at_other_path(item.clone(), id);
        document.paths.paths.insert((*path).to_owned(), alias);
    }
    document
}

fn at_other_path(mut item: PathItem, id: &str) -> PathItem {
    for described in methods(&mut item) {
        // Operation ids must be unique in a document.
        described.operation_id = Some(id.to_owned());
    }
    item
}

/// Adds security, parameters, examples, response headers and errors of `of` to `operation`.
fn complete(of: &Operation, operation: &mut Described) {
    let parameters = match of.rules.access {
        Access::Signed(form) => vec![
            timestamp_parameter(form),
            request_id_parameter(),
            fault_parameter(),
        ],
        Access::Token => vec![request_id_parameter()],
    };
    operation.security = Some(security(of.rules));
    show_examples(of, operation);
    let references = parameters
        .into_iter()
        .map(|(name, _)| RefOr::Ref(Ref::new(format!("#/components/parameters/{name}"))));
    operation
        .parameters
        .get_or_insert_default()
        .extend(references);
    for response in operation.responses.responses.values_mut() {
        if let RefOr::T(response) = response {
            response.headers.extend(header_references());
        }
    }
    refer_to_errors(operation, errors_of(of));
}

/// Adds references to error responses. Each entry of `errors` has all errors of one HTTP status.
fn refer_to_errors(
    operation: &mut Described,
    errors: impl IntoIterator<Item = Vec<&'static Definition>>,
) {
    for definitions in errors {
        let Some(status) = definitions
            .first()
            .map(|definition| definition.status.as_u16().to_string())
        else {
            continue;
        };
        let reference = Ref::from_response_name(response_name(&definitions));
        operation
            .responses
            .responses
            .insert(status, reference.into());
    }
}
