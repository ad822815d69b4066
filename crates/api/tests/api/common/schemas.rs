//! The schemas of the OpenAPI document, compiled as JSON Schema.

use std::error::Error;

use boon::{Compiler, Format, Schemas};
use pressline_api::{openapi_json, operator_openapi_json};
use serde_json::{Value, json};
use uuid::Uuid;

const LOCATION: &str = "https://service.example/openapi.json";

pub(crate) struct DocumentSchemas {
    compiler: Compiler,
    schemas: Schemas,
}

pub(crate) fn document() -> Value {
    serde_json::from_str(&openapi_json()).unwrap()
}

impl DocumentSchemas {
    pub(crate) fn new() -> Self {
        Self::from_document(document())
    }

    /// Returns the schemas of operators.
    pub(crate) fn of_operators() -> Self {
        Self::from_document(serde_json::from_str(&operator_openapi_json()).unwrap())
    }

    /// Compiles the schemas with `unevaluatedProperties` set to `false`.
    pub(crate) fn closed() -> Self {
        let mut document = document();
        let schemas = document["components"]["schemas"].as_object_mut().unwrap();
        // Schemas that are part of an `allOf` must accept the members of the other parts.
        let is_part = |name: &str| ["OrderFields", "FileRules", "Error"].contains(&name);
        for (name, schema) in schemas {
            if !is_part(name) && (schema["type"] == "object" || schema.get("allOf").is_some()) {
                schema["unevaluatedProperties"] = json!(false);
            }
        }
        Self::from_document(document)
    }

    fn from_document(document: Value) -> Self {
        let mut compiler = Compiler::new();
        compiler.enable_format_assertions();
        for (name, func) in [
            ("email", email as fn(&Value) -> _),
            ("uri", uri),
            ("uuid", uuid),
        ] {
            compiler.register_format(Format { name, func });
        }
        compiler.add_resource(LOCATION, document).unwrap();
        Self {
            compiler,
            schemas: Schemas::new(),
        }
    }

    /// Returns why `value` does not conform to the schema `name`; `None` if it conforms.
    pub(crate) fn problem(&mut self, name: &str, value: &Value) -> Option<String> {
        let location = format!("{LOCATION}#/components/schemas/{name}");
        let compiled = self.compiler.compile(&location, &mut self.schemas);
        let schema = compiled.unwrap_or_else(|error| panic!("{name}: {error:#}"));
        let validated = self.schemas.validate(value, schema);
        validated.err().map(|error| format!("{error:#}"))
    }
}

type Checked = Result<(), Box<dyn Error>>;

/// Checks the format of a string by `is_right`. Blank strings count as absent and always pass.
fn checked(value: &Value, is_right: fn(&str) -> bool) -> Checked {
    match value.as_str().map(str::trim) {
        Some(text) if !text.is_empty() && !is_right(text) => Err("another form".into()),
        _ => Ok(()),
    }
}

fn email(value: &Value) -> Checked {
    checked(value, |text| {
        let parts = text.split_once('@');
        parts.is_some_and(|(user, host)| !user.is_empty() && !host.is_empty())
    })
}

fn uri(value: &Value) -> Checked {
    checked(value, |text| text.contains(':'))
}

fn uuid(value: &Value) -> Checked {
    checked(value, |text| Uuid::try_parse(text).is_ok())
}
