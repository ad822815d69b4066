//! Products in responses.

use pressline_domain::catalog::{Offered, PrintArea, Product, ProductPage};
use pressline_domain::money::{AmountText, Currency};
use pressline_domain::report::Warning;
use serde::Serialize;
use utoipa::ToSchema;

use crate::response::money::Money;
use crate::response::page::PageResponse;
use crate::response::text::{Pixels, Text};
use crate::response::{Response, json};

/// A product.
#[derive(Serialize, ToSchema)]
#[schema(as = Product)]
pub(crate) struct ProductResponse<'a> {
    /// The product's id. A product with only one variant may have the SKU as its id.
    id: &'a str,
    /// Its name.
    name: &'a str,
    /// The variants that can be ordered, by SKU.
    variants: Vec<VariantResponse<'a>>,
}

/// A variant of a product, which is ordered by its SKU.
#[derive(Serialize, ToSchema)]
#[schema(as = Variant)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VariantResponse<'a> {
    /// The SKU to order it by.
    sku: &'a str,
    /// Its name.
    name: &'a str,
    /// The options that distinguish it from the other variants, in the order to show them.
    options: Vec<OptionResponse<'a>>,
    /// The price of one unit for your store now, in major units of `currency`; null if it has no
    /// price in your currency.
    #[schema(value_type = Option<f64>, required)]
    price: Option<Money>,
    /// ISO 4217 code of `price`: your store's currency.
    #[schema(pattern = "^[A-Z]{3}$")]
    currency: &'static str,
    /// The weight of one unit; 0 if it is not known.
    weight_grams: u32,
    /// The shipping classes that it can be sent in; empty if it can be sent in all.
    ship_classes: &'a [String],
    /// One entry for each print area.
    file_requirements: Vec<AreaResponse<'a>>,
}

/// An option of a variant, such as `size` and `M`.
#[derive(Serialize, ToSchema)]
#[schema(as = ProductOption)]
pub(crate) struct OptionResponse<'a> {
    /// The kind of choice.
    name: &'a str,
    /// The choice.
    value: &'a str,
}

/// A print area and its requirements for the file.
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
    #[schema(value_type = String, pattern = "^[0-9]*$")]
    size_width: Text<Pixels>,
    /// Height of the file in pixels, as text.
    #[schema(value_type = String, pattern = "^[0-9]*$")]
    size_height: Text<Pixels>,
    /// Whether the file is required: `base_belongs`, or what the catalog says.
    requirement: &'a str,
    /// What the requirement depends on.
    require_for: &'a [String],
    /// The extra fee per unit for printing this area, in major units of `extraFeeCurrency`, as
    /// text.
    #[schema(value_type = String, pattern = "^[0-9]+([.][0-9]+)?$")]
    extra_fee: Text<AmountText>,
    /// ISO 4217 code of `extraFee`: the catalog's currency for this product. If it is not your
    /// store's, the `surchargeFee` of an order with a file for an area with an extra fee is not
    /// known.
    #[schema(pattern = "^[A-Z]{3}$")]
    extra_fee_currency: &'static str,
}

pub(crate) fn products(found: ProductPage, unknown: Vec<Warning>) -> Response {
    let entries = found.page.entries.iter();
    let products: Vec<ProductResponse<'_>> = entries
        .map(|product| ProductResponse::new(product, &found))
        .collect();
    let body = PageResponse::new(&found.page, products, Some(found.count), unknown);
    json(&body)
}

impl<'a> ProductResponse<'a> {
    fn new(product: &'a Product, page: &ProductPage) -> Self {
        Self {
            id: &product.id,
            name: &product.name,
            variants: product
                .variants
                .iter()
                .map(|offered| VariantResponse::new(offered, page))
                .collect(),
        }
    }
}

impl<'a> VariantResponse<'a> {
    fn new(offered: &'a Offered, page: &ProductPage) -> Self {
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
                .map(|area| AreaResponse::new(area, variant.currency))
                .collect(),
        }
    }
}

impl<'a> AreaResponse<'a> {
    fn new(area: &'a PrintArea, currency: Currency) -> Self {
        Self {
            id: &area.id,
            name: &area.name,
            size: &area.size,
            note: &area.note,
            size_width: Text(Pixels(area.width)),
            size_height: Text(Pixels(area.height)),
            requirement: &area.requirement,
            require_for: &area.require_for,
            extra_fee: Text(area.extra_fee.decimal(currency)),
            extra_fee_currency: currency.code(),
        }
    }
}
