//! Schemas of values that several requests and responses have.

use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::limits;
use pressline_domain::order::{OrderKind, Source};
use pressline_domain::pricing::fees::FeeType;
use pressline_http::value_sets;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaFormat, SchemaType, Type};
use utoipa::{PartialSchema, ToSchema};

value_sets! {
    /// The state of an item.
    StatusName as "ItemStatus" = ItemStatus::ALL.map(ItemStatus::as_str);
    /// `manual`, or `label` if the store prepared the shipping label.
    KindName as "OrderType" = OrderKind::ALL.map(OrderKind::as_str);
    /// `store` for orders that came by this API, `app` for others.
    SourceName as "OrderSource" = Source::ALL.map(Source::as_str);
    /// The fee that a line is a part of, such as `shipping` of `shippingFee`.
    FeeName as "FeeType" = FeeType::ALL.map(FeeType::as_str);
}

/// An entry of a list of URLs in a response.
pub(crate) struct Url;

impl ToSchema for Url {}

impl PartialSchema for Url {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::Custom("uri".to_owned())))
            .into()
    }
}

/// An entry of a list of URLs in a request. A blank text and null are an entry without a URL, so
/// that the format `uri` would refuse too much.
pub(crate) struct OptionalUrl;

impl ToSchema for OptionalUrl {}

impl PartialSchema for OptionalUrl {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
            .max_length(Some(limits::URL))
            .pattern(Some(r"^\s*$|^[Hh][Tt][Tt][Pp][Ss]?://[^/\s]+"))
            .into()
    }
}
