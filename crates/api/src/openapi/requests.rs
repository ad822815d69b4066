//! Schemas of the body that `createOrder`, `createOrderLabel` and `estimateOrder` share: each
//! operation has its own schema, with the fields that it requires.

use utoipa::ToSchema as _;
use utoipa::openapi::schema::{Object, ObjectBuilder, OneOfBuilder, Schema, SchemaType, Type};
use utoipa::openapi::{Components, OpenApi, Ref, RefOr};

use super::parts::{body_contents, methods};
use crate::operation::RequestSchema;
use crate::order::request::{AddressBody, OrderRequest};

pub(super) const NOT_BLANK: &str = r"\S";
/// Prefix of a pattern that also accepts blank strings, which count as absent.
pub(super) const OR_BLANK: &str = r"^\s*$|";
const SHIPPING_ADDRESS: &str = "ShippingAddress";

/// Gives the operation of `request`, the only operation in `document`, its own request schema.
pub(super) fn specialise(document: &mut OpenApi, request: &RequestSchema) {
    let Some(components) = &mut document.components else {
        return;
    };
    let shared = OrderRequest::name();
    // Removed, so that the document shows only the operations' own schemas.
    let Some(RefOr::T(Schema::Object(mut object))) = components.schemas.remove(shared.as_ref())
    else {
        return;
    };
    object.description = Some(request.description.to_owned());
    require(&mut object, request.required);
    if request.ships {
        let reference = Ref::from_schema_name(SHIPPING_ADDRESS);
        let field = "shipping_address".to_owned();
        let is_required = object.required.contains(&field);
        // Like other optional fields, an optional address may be `null`.
        let address = if is_required {
            reference.into()
        } else {
            or_null(reference)
        };
        object.properties.insert(field, address);
    }
    let schema = RefOr::T(Schema::Object(object));
    components.schemas.insert(request.name.to_owned(), schema);
    for described in document.paths.paths.values_mut().flat_map(methods) {
        for content in body_contents(described) {
            content.schema = Some(Ref::from_schema_name(request.name).into());
        }
    }
}

pub(super) fn add_shipping_address(components: &mut Components) {
    let address = components.schemas.get(AddressBody::name().as_ref());
    let Some(RefOr::T(Schema::Object(mut object))) = address.cloned() else {
        return;
    };
    let description = "An address that goods are sent to. It also needs a name or company, a \
                       country and, where the country's post needs them, a city, a postal code and \
                       a province.";
    object.description = Some(description.to_owned());
    require(&mut object, &["address1"]);
    let address = RefOr::T(Schema::Object(object));
    let name = SHIPPING_ADDRESS.to_owned();
    components.schemas.insert(name, address);
}

/// Requires only the properties `required`, and forbids `null` and blank strings as their values.
fn require(schema: &mut Object, required: &[&str]) {
    for (name, property) in &mut schema.properties {
        if required.contains(&name.as_str()) {
            forbid_null(property);
        }
    }
    schema.required = required.iter().map(|name| (*name).to_owned()).collect();
}

fn or_null(schema: Ref) -> RefOr<Schema> {
    let null = ObjectBuilder::new().schema_type(Type::Null);
    let either = OneOfBuilder::new().item(schema).item(null).build();
    RefOr::T(Schema::OneOf(either))
}

fn forbid_null(property: &mut RefOr<Schema>) {
    // A nullable reference is one of two schemas.
    if let RefOr::T(Schema::OneOf(either)) = property
        && let Some(reference) = either
            .items
            .iter()
            .find(|item| matches!(item, RefOr::Ref(_)))
    {
        *property = reference.clone();
        return;
    }
    let RefOr::T(Schema::Object(value)) = property else {
        if let RefOr::T(Schema::Array(list)) = property {
            // The types of a nullable list are `array` and `null`.
            list.schema_type = Type::Array.into();
        }
        return;
    };
    only_type(value);
    if value.schema_type == Type::String.into() {
        // A required string must not be blank, so the alternative for blank strings is removed.
        let given_pattern = value.pattern.as_deref().unwrap_or(NOT_BLANK);
        let pattern = given_pattern
            .strip_prefix(OR_BLANK)
            .unwrap_or(given_pattern);
        value.pattern = Some(pattern.to_owned());
    }
}

/// Removes `null` from the types of `value`.
pub(super) fn only_type(value: &mut Object) {
    if let SchemaType::Array(types) = &value.schema_type
        && let Some(only) = types.iter().find(|kind| **kind != Type::Null)
    {
        value.schema_type = SchemaType::Type(only.clone());
    }
}
