//! Operations on products.

mod file_rules;

use pressline_domain::catalog::{Offered, PrintArea, Product, ProductPage, ProductSearchDraft};
use pressline_domain::check::Warning;
use pressline_domain::value::page::PageDraft;
use pressline_domain::value::{AmountText, Currency};
use pressline_http::CallKind;
use serde::Serialize;
use utoipa::ToSchema;

pub(crate) use file_rules::FileRulesResponse;

use crate::caller::Signed;
use crate::json::bodies;
use crate::operation::operations;
use crate::request::Request;
use crate::response::{Money, PageOf, PageResponse, Pixels, Response, Text, json, respond};

operations! {
    const OPERATIONS;

    /// Search products
    ///
    /// Returns the products that can be ordered, sorted by `id`, each with all its variants and
    /// their prices for your store. Each call needs a signature, because a store can have its own
    /// prices.
    store "searchProducts" at "/app/v1/products/search";
    tag "products", span "api.catalog.search", handler search;
    with kind: CallKind::Search;
    request SearchProducts;
    response PageOf<ProductResponse<'static>, true>: "A page of products.";
    example "Black shirts": "examples/search" request response;
}

bodies! {
    /// Search for products. Every field is optional; `{}` finds all products.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct SearchProducts {
        /// Words, or beginnings of words. A product matches if each is the beginning of a word in
        /// its `id` or `name`, or in the `sku`, name or option values of a variant. Case and
        /// accents do not matter, and no character has a special meaning.
        search_key: Option<String> [max_length = 255],
        /// Number of the page, from 1; default 1. Not together with `cursor`.
        page: Option<i64> [minimum = 1, maximum = 1_000_000],
        /// Number of products per page; default `20`.
        size: Option<i64> [minimum = 1, maximum = 100],
        /// The `nextCursor` of the previous page, to read the next page. `searchKey` must be the
        /// same.
        cursor: Option<String>,
    }
    draft ProductSearchDraft {
        search_key,
        paging: PageDraft { page, size, cursor },
    }
}

async fn search(call: Signed, request: Request<SearchProducts>) -> Response {
    let products = &call.api.services.products;
    let result = products.search(&call.store, &request.draft).await;
    respond(result, request.unknown, page)
}

/// A product with its `variants`.
#[derive(Serialize, ToSchema)]
#[schema(as = Product)]
pub(crate) struct ProductResponse<'a> {
    /// The product's id. A product with only one variant may have the SKU as its `id`.
    id: &'a str,
    /// Name of the product.
    name: &'a str,
    /// Variants that can be ordered, sorted by `sku`.
    variants: Vec<VariantResponse<'a>>,
}

/// A variant of a product. Orders refer to it by its `sku`.
#[derive(Serialize, ToSchema)]
#[schema(as = Variant)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VariantResponse<'a> {
    /// SKU of the variant, for the `sku` of line items.
    sku: &'a str,
    /// Name of the variant.
    name: &'a str,
    /// Options that distinguish this variant from the product's other variants, in display order.
    options: Vec<OptionResponse<'a>>,
    /// Current price of one unit for your store, in major units of `currency`; `null` if the
    /// variant has no price in your currency.
    #[schema(value_type = Option<f64>, required)]
    price: Option<Money>,
    /// ISO 4217 code of `price`: your store's currency.
    #[schema(pattern = "^[A-Z]{3}$")]
    currency: &'static str,
    /// Weight of one unit, in grams; `0` if unknown.
    weight_grams: u32,
    /// Shipping classes that orders can use for this variant; empty if they can use all.
    ship_classes: &'a [String],
    /// Print areas, with their requirements for files.
    file_requirements: Vec<AreaResponse<'a>>,
}

/// An option of a variant, such as `size` with the value `M`.
#[derive(Serialize, ToSchema)]
#[schema(as = ProductOption)]
pub(crate) struct OptionResponse<'a> {
    /// Name of the option, such as `size`.
    name: &'a str,
    /// Value of the option, such as `M`.
    value: &'a str,
}

/// A print area, with its requirements for the file.
#[derive(Serialize, ToSchema)]
#[schema(as = PrintArea)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AreaResponse<'a> {
    /// Id of the print area.
    id: &'a str,
    /// Name of the print area.
    name: &'a str,
    /// Size of the area as text, such as `4500x5400px`; can be empty.
    size: &'a str,
    /// Requirements for the file, for people; can be empty.
    note: &'a str,
    /// Width for print files of this area, in pixels, as a string; empty if unknown.
    #[schema(value_type = String, pattern = "^[0-9]*$")]
    size_width: Text<Pixels>,
    /// Height for print files of this area, in pixels, as a string; empty if unknown.
    #[schema(value_type = String, pattern = "^[0-9]*$")]
    size_height: Text<Pixels>,
    /// The catalog's requirement for a print file, such as `required` or `optional`. With
    /// `base_belongs`, the default, the area needs no file if another area of the item has a file.
    requirement: &'a str,
    /// Ids of the print areas that must also have a file if this area has a file.
    require_for: &'a [String],
    /// Extra fee per unit for printing this area, in major units of `extraFeeCurrency`, as a
    /// string.
    #[schema(value_type = String, pattern = "^[0-9]+([.][0-9]+)?$")]
    extra_fee: Text<AmountText>,
    /// ISO 4217 code of `extraFee`: the catalog's currency for this product. If your store has
    /// another currency, an order with a file for this area has an unknown `surchargeFee`, unless
    /// the extra fee is `0`.
    #[schema(pattern = "^[A-Z]{3}$")]
    extra_fee_currency: &'static str,
    #[serde(flatten)]
    rules: FileRulesResponse,
}

fn page(product_page: ProductPage, unknown: Vec<Warning>) -> Response {
    let entries = product_page.page.entries.iter();
    let products: Vec<ProductResponse<'_>> = entries
        .map(|product| ProductResponse::new(product, &product_page))
        .collect();
    let body = PageResponse::new(
        &product_page.page,
        products,
        Some(product_page.count),
        unknown,
    );
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
            // Extra fees stay in the catalog's currency; only `price` has the currency of the page.
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
            rules: FileRulesResponse::new(area),
        }
    }
}
