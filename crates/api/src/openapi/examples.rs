//! Examples of the operations, each once in the document.

use std::collections::BTreeMap;

use serde_json::Value;
use utoipa::openapi::example::{Example, ExampleBuilder};
use utoipa::openapi::path::Operation as Described;
use utoipa::openapi::{Ref, RefOr};

use super::parts::{body_contents, owned};
use crate::operation::{self, Operation};

pub(super) fn show_examples(of: &Operation, operation: &mut Described) {
    for content in body_contents(operation) {
        content.examples = references(of, |_| true, REQUEST);
    }
    let Some(RefOr::T(response)) = operation.responses.responses.get_mut("200") else {
        return;
    };
    for content in response.content.values_mut().filter_map(owned) {
        content.examples = references(of, |example| example.response.is_some(), RESPONSE);
    }
}

/// Suffix of the names of request examples in the document.
const REQUEST: &str = "Request";
const RESPONSE: &str = "Response";

fn references(
    of: &Operation,
    is_shown: fn(&operation::Example) -> bool,
    ending: &str,
) -> BTreeMap<String, RefOr<Example>> {
    let numbered = of.description.examples.iter().enumerate();
    let shown = numbered.filter(|(_, example)| is_shown(example));
    let reference = |(number, example): (usize, &operation::Example)| {
        let name = example_name(of, number, ending);
        let reference = Ref::new(format!("#/components/examples/{name}"));
        (example.title.to_owned(), RefOr::Ref(reference))
    };
    shown.map(reference).collect()
}

fn example_name(of: &Operation, number: usize, ending: &str) -> String {
    format!("{}{}{ending}", of.id, number + 1)
}

pub(super) fn examples(of: &Operation) -> impl Iterator<Item = (String, RefOr<Example>)> {
    let built = |text: &str| {
        // The tests send all examples, so they are valid JSON.
        let value: Value = serde_json::from_str(text).unwrap_or_default();
        RefOr::T(ExampleBuilder::new().value(Some(value)).build())
    };
    of.description
        .examples
        .iter()
        .enumerate()
        .flat_map(move |(number, example)| {
            let request = (example_name(of, number, REQUEST), built(example.request));
            let response = example
                .response
                .map(|text| (example_name(of, number, RESPONSE), built(text)));
            std::iter::once(request).chain(response)
        })
}
