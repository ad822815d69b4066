//! Products as answers spell them.

use actix_web::HttpResponse;
use pressline_domain::catalog::{Offered, PrintArea, Product, ProductPage};
use pressline_domain::money::Currency;
use pressline_domain::report::Warning;
use serde::Serialize;
use utoipa::ToSchema;

use crate::order::response::item::pixels;
use crate::response::bytes;
use crate::response::money::Money;
use pressline_http::error::OK;
use pressline_http::failure::Failure;
use pressline_http::problem::{Issue, issues};

/// A page of products.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProductSearchAnswer<'a> {
    /// Always true.
    success: bool,
    /// Always `OK`.
    message: &'a str,
    /// The products, by id.
    data: Vec<ProductAnswer<'a>>,
    /// The page's number; absent where a cursor was followed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    page: Option<u32>,
    /// Products on a full page.
    size: u32,
    /// All products that the search finds, on whatever page.
    count: u64,
    /// Whether there is a next page.
    page_has_next: bool,
    /// Whether there is a page before.
    page_has_pre: bool,
    /// Send it back as `cursor`, with the same `searchKey`, to read the next page. Absent on the
    /// last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<&'a str>,
    /// What was accepted but is worth knowing. Absent where nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    warnings: Vec<Issue>,
}

/// A product.
#[derive(Serialize, ToSchema)]
#[schema(as = Product)]
pub(crate) struct ProductAnswer<'a> {
    /// The product's id; of a product that comes in one form its SKU.
    id: &'a str,
    /// Its name.
    name: &'a str,
    /// What can be ordered of it, by SKU.
    variants: Vec<VariantAnswer<'a>>,
}

/// What can be ordered by a SKU.
#[derive(Serialize, ToSchema)]
#[schema(as = Variant)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VariantAnswer<'a> {
    /// The SKU to order it by.
    sku: &'a str,
    /// Its name.
    name: &'a str,
    /// What tells it from the product's other variants, in the order to show it.
    options: Vec<OptionAnswer<'a>>,
    /// What one unit costs your store now, in major units of `currency`; null where it has no price
    /// in your currency.
    #[schema(value_type = Option<f64>, required)]
    price: Option<Money>,
    /// ISO 4217 code of `price`: your store's currency.
    currency: &'static str,
    /// What one unit weighs; 0 where that is not known.
    weight_grams: u32,
    /// The shipping classes it can be sent in; empty where all.
    ship_classes: &'a [String],
    /// One entry for each print area.
    file_requirements: Vec<AreaAnswer<'a>>,
}

/// An option of a variant, such as `size` and `M`.
#[derive(Serialize, ToSchema)]
#[schema(as = ProductOption)]
pub(crate) struct OptionAnswer<'a> {
    /// What kind of choice it is.
    name: &'a str,
    /// What is chosen.
    value: &'a str,
}

/// What a print area asks of its file.
#[derive(Serialize, ToSchema)]
#[schema(as = PrintArea)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AreaAnswer<'a> {
    /// The print area's id.
    id: &'a str,
    /// The print area's name.
    name: &'a str,
    /// Its size as text; can be empty.
    size: &'a str,
    /// What the file must be; can be empty.
    note: &'a str,
    /// Width of the file in pixels, as text.
    size_width: String,
    /// Height of the file in pixels, as text.
    size_height: String,
    /// How binding the file is.
    requirement: &'a str,
    /// What the requirement depends on.
    require_for: &'a [String],
    /// What printing this area costs on top a unit, in major units of `extraFeeCurrency`, as text.
    extra_fee: String,
    /// ISO 4217 code of `extraFee`: the catalog's currency for this product. Where it is not your
    /// store's, an order with a file for an area that costs something has no known `surchargeFee`.
    extra_fee_currency: &'static str,
}

/// Answers a search for products.
pub(crate) fn products(page: &ProductPage, unknown: Vec<Warning>) -> Result<HttpResponse, Failure> {
    let answer = ProductSearchAnswer {
        success: true,
        message: "OK",
        data: page
            .products
            .iter()
            .map(|product| ProductAnswer::of(product, page))
            .collect(),
        page: page.page,
        size: page.size,
        count: page.count,
        page_has_next: page.has_next,
        page_has_pre: page.has_previous,
        next_cursor: page.next_cursor.as_deref(),
        warnings: issues(unknown),
    };
    Ok(HttpResponse::build(OK)
        .content_type("application/json")
        .body(bytes(&answer)?))
}

impl<'a> ProductAnswer<'a> {
    fn of(product: &'a Product, page: &ProductPage) -> Self {
        Self {
            id: &product.id,
            name: &product.name,
            variants: product
                .variants
                .iter()
                .map(|offered| VariantAnswer::of(offered, page))
                .collect(),
        }
    }
}

impl<'a> VariantAnswer<'a> {
    fn of(offered: &'a Offered, page: &ProductPage) -> Self {
        let variant = &offered.variant;
        let price = offered.unit_price(page.currency, page.at);
        let options = variant.options.iter();
        Self {
            sku: &variant.sku,
            name: &variant.name,
            options: options
                .map(|(name, value)| OptionAnswer { name, value })
                .collect(),
            price: price.map(|price| Money(price.amount, page.currency)),
            currency: page.currency.code(),
            weight_grams: variant.weight_grams,
            ship_classes: &variant.ship_classes,
            file_requirements: variant
                .areas
                .iter()
                .map(|area| AreaAnswer::of(area, variant.currency))
                .collect(),
        }
    }
}

impl<'a> AreaAnswer<'a> {
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
