//! The two spellings of an order's shipping address: `createOrderLabel` returns it with the keys of
//! requests, all other operations with the keys of responses.
//!
//! Each spelling has its own schema, because a client generated from a common schema would drop the
//! keys of one spelling.

use utoipa::ToSchema as _;
use utoipa::openapi::schema::{AllOfBuilder, Object, ObjectBuilder, Schema};
use utoipa::openapi::{Components, OpenApi, Ref, RefOr};

use super::parts::{methods, owned};
use super::requests::only_type;
use crate::operations::of_stores;
use crate::order::response::{AddressResponse, LabelAddress, OrderBody};
use crate::response::schema_with;

/// Id of the operation whose response has the second spelling.
const CREATE_LABEL: &str = "createOrderLabel";
const FIELDS: &str = "OrderFields";
const LABEL_ORDER: &str = "LabelOrder";
const LABEL_RESPONSE: &str = "LabelOrderResponse";
const ADDRESS: &str = "shippingAddress";

/// Adds the schema of orders with the keys of requests in addresses, for [`CREATE_LABEL`].
pub(super) fn add_spelling(document: &mut OpenApi) {
    if let Some(components) = &mut document.components {
        divide_order(components);
        let response = schema_with(Ref::from_schema_name(LABEL_ORDER));
        components
            .schemas
            .insert(LABEL_RESPONSE.to_owned(), response);
        for name in [AddressResponse::name(), LabelAddress::name()] {
            if let Some(RefOr::T(Schema::Object(address))) =
                components.schemas.get_mut(name.as_ref())
            {
                leave_out_null(address);
            }
        }
    }
    if let Some(operation) = of_stores().find(|operation| operation.id == CREATE_LABEL) {
        refer_to(document, operation.rules.path, LABEL_RESPONSE);
    }
}

/// Splits the schema of orders: `OrderFields` has all fields except the shipping address, and two
/// schemas combine it with the address in either spelling.
fn divide_order(components: &mut Components) {
    let schemas = &mut components.schemas;
    let order = OrderBody::name();
    let Some(RefOr::T(Schema::Object(mut fields))) = schemas.remove(order.as_ref()) else {
        return;
    };
    fields.required.retain(|field| field != ADDRESS);
    fields.properties.remove(ADDRESS);
    // The description belongs to the whole order, not to the fields that both spellings share.
    let description = fields.description.take();
    schemas.insert(FIELDS.to_owned(), RefOr::T(Schema::Object(fields)));
    // The order keeps its schema name, so the references of other operations stay valid.
    for (name, address) in [
        (order.as_ref(), AddressResponse::name()),
        (LABEL_ORDER, LabelAddress::name()),
    ] {
        let address = ObjectBuilder::new()
            .property(ADDRESS, Ref::from_schema_name(address))
            .required(ADDRESS);
        let whole = AllOfBuilder::new()
            .item(Ref::from_schema_name(FIELDS))
            .item(address)
            .description(description.clone())
            .build();
        schemas.insert(name.to_owned(), RefOr::T(Schema::AllOf(whole)));
    }
}

fn refer_to(document: &mut OpenApi, path: &str, schema: &str) {
    let Some(item) = document.paths.paths.get_mut(path) else {
        return;
    };
    for described in methods(item) {
        let response = described.responses.responses.get_mut("200").and_then(owned);
        let contents = response
            .into_iter()
            .flat_map(|response| response.content.values_mut());
        for content in contents.filter_map(owned) {
            content.schema = Some(Ref::from_schema_name(schema).into());
        }
    }
}

/// Removes `null` from the types, because responses leave out fields without a value.
fn leave_out_null(address: &mut Object) {
    for property in address.properties.values_mut() {
        if let RefOr::T(Schema::Object(property)) = property {
            only_type(property);
        }
    }
}
