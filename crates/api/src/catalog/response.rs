//! Products as responses spell them.

use actix_web::HttpResponse;
use pressline_domain::catalog::{Offered, PrintArea, Product, ProductPage};
use pressline_domain::money::Currency;
use pressline_domain::report::Warning;
use serde::Serialize;
use utoipa::ToSchema;

use crate::order::response::item::pixels;
use crate::response::json;
use crate::response::money::Money;
use crate::response::page::PageResponse;
use pressline_http::request_error::RequestError;

/// A product.
#[derive(Serialize, ToSchema)]
#[schema(as = Product)]
pub(crate) struct ProductResponse<'a> {
    /// The product's id; of a product that comes in one form its SKU.
    id: &'a str,
    /// Its name.
    name: &'a str,
    /// What can be ordered of it, by SKU.
    variants: Vec<VariantResponse<'a>>,
}

/// What can be ordered by a SKU.
#[derive(Serialize, ToSchema)]
#[schema(as = Variant)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VariantResponse<'a> {
    /// The SKU to order it by.
    sku: &'a str,
    /// Its name.
    name: &'a str,
    /// What tells it from the product's other variants, in the order to show it.
    options: Vec<OptionResponse<'a>>,
    /// What one unit costs your store now, in major units of `currency`; null where it has no price
    /// in your currency.
    #[schema(value_type = Option<f64>, required)]
    price: Option<Money>,
    /// ISO 4217 code of `price`: your store's currency.
    #[schema(pattern = "^[A-Z]{3}$")]
    currency: &'static str,
    /// What one unit weighs; 0 where that is not known.
    weight_grams: u32,
    /// The shipping classes it can be sent in; empty where all.
    ship_classes: &'a [String],
    /// One entry for each print area.
    file_requirements: Vec<AreaResponse<'a>>,
}

/// An option of a variant, such as `size` and `M`.
#[derive(Serialize, ToSchema)]
#[schema(as = ProductOption)]
pub(crate) struct OptionResponse<'a> {
    /// What kind of choice it is.
    name: &'a str,
    /// What is chosen.
    value: &'a str,
}

/// What a print area asks of its file.
#[derive(Serialize, ToSchema)]
#[schema(as = PrintArea)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AreaResponse<'a> {
    /// The print area's id.
    id: &'a str,
    /// The print area's name.
    name: &'a str,
    /// Its size as text; can be empty.
    size: &'a str,
    /// What the file must be; can be empty.
    note: &'a str,
    /// Width of the file in pixels, as text.
    #[schema(pattern = "^[0-9]*$")]
    size_width: String,
    /// Height of the file in pixels, as text.
    #[schema(pattern = "^[0-9]*$")]
    size_height: String,
    /// How binding the file is.
    requirement: &'a str,
    /// What the requirement depends on.
    require_for: &'a [String],
    /// What printing this area costs on top a unit, in major units of `extraFeeCurrency`, as text.
    #[schema(pattern = "^[0-9]+([.][0-9]+)?$")]
    extra_fee: String,
    /// ISO 4217 code of `extraFee`: the catalog's currency for this product. Where it is not your
    /// store's, an order with a file for an area that costs something has no known `surchargeFee`.
    #[schema(pattern = "^[A-Z]{3}$")]
    extra_fee_currency: &'static str,
}

/// Returns the response to a search for products.
pub(crate) fn products(
    found: ProductPage,
    unknown: Vec<Warning>,
) -> Result<HttpResponse, RequestError> {
    let entries = found.page.entries.iter();
    let products: Vec<ProductResponse<'_>> = entries
        .map(|product| ProductResponse::of(product, &found))
        .collect();
    let body = PageResponse::new(&found.page, products, Some(found.count), unknown);
    json(&body)
}

impl<'a> ProductResponse<'a> {
    fn of(product: &'a Product, page: &ProductPage) -> Self {
        Self {
            id: &product.id,
            name: &product.name,
            variants: product
                .variants
                .iter()
                .map(|offered| VariantResponse::of(offered, page))
                .collect(),
        }
    }
}

impl<'a> VariantResponse<'a> {
    fn of(offered: &'a Offered, page: &ProductPage) -> Self {
        let variant = &offered.variant;
        let price = offered.unit_price(page.currency, page.at);
        let options = variant.options.iter();
        Self {
            sku: &variant.sku,
            name: &variant.name,
            options: options
                .map(|(name, value)| OptionResponse { name, value })
                .collect(),
            price: price.map(|price| Money(price.amount, page.currency)),
            currency: page.currency.code(),
            weight_grams: variant.weight_grams,
            ship_classes: &variant.ship_classes,
            file_requirements: variant
                .areas
                .iter()
                .map(|area| AreaResponse::of(area, variant.currency))
                .collect(),
        }
    }
}

impl<'a> AreaResponse<'a> {
    fn of(area: &'a PrintArea, currency: Currency) -> Self {
        Self {
            id: &area.id,
            name: &area.name,
            size: &area.size,
            note: &area.note,
            size_width: pixels(area.width),
            size_height: pixels(area.height),
            requirement: &area.requirement,
            require_for: &area.require_for,
            extra_fee: area.extra_fee.to_decimal(currency),
            extra_fee_currency: currency.code(),
        }
    }
}
