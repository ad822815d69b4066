//! Products that a store can order, and their prices.

use std::cell::Cell;
use std::sync::Arc;

use askama::Template;
use pressline_domain::catalog::{
    ListPrice, Offered, PriceSource, Product, ProductError, ProductSearchDraft, Variant,
};
use pressline_domain::store::Store;
use pressline_domain::value::Timestamp;

use super::tab::{PRICES, Tab};
use crate::shell::filter::stores::{named, reached_stores};
use crate::shell::list::count_text;
use crate::shell::view::money;
use crate::shell::{
    Answer, ErrorList, FormErrors, FormField, Frame, PageLinks, Paging, Reply, SignedInRequest,
};

const SEARCH: &str = "searchKey";
const STORES: &str = "stores";

#[derive(Template)]
#[template(path = "catalog/products.html")]
struct ProductsPage {
    frame: Frame,
    path: &'static str,
    questions: Vec<FormField>,
    is_filtered: bool,
    has_store: bool,
    count: String,
    variants: Vec<VariantRow>,
    lists_prices: bool,
    links: Option<PageLinks>,
    export: Option<&'static str>,
    import: Option<&'static str>,
    errors: Option<FormErrors>,
}

struct VariantRow {
    variant: Arc<Variant>,
    product: String,
    /// Current unit price for the store, such as `5.20 USD` or `none in USD`.
    price: String,
    prices: Vec<PriceRow>,
}

struct PriceRow {
    list: &'static str,
    amount: String,
    /// Start of the price's validity; `None` if the price is valid at any time.
    from: Option<Timestamp>,
    holds: bool,
}

pub(super) async fn show(visit: SignedInRequest, tab: Tab) -> Answer {
    let query = visit.query();
    let paging = Paging::from_query(query)?;
    let stores = reached_stores(&visit).await?;
    let asked = query.get(STORES);
    let store = match asked {
        "" => stores.first(),
        id => stores.iter().find(|store| store.id.to_string() == id),
    };
    let (mut variants, mut links, mut count, mut errors) = (Vec::new(), None, 0, None);
    if let Some(store) = store {
        match found(&visit, store, &paging).await {
            Ok(list) => {
                count = list.count;
                variants = rows(&list, store);
                links = Some(paging.links(tab.path, query, list.next.as_deref()));
            }
            Err(error) => errors = Some(FormErrors::from_error(error)?),
        }
    } else if !stores.is_empty() {
        errors = Some(FormErrors::of_field(STORES, "choose one of the stores"));
    }
    let options = stores
        .iter()
        .map(|store| (store.id.to_string(), named(store)));
    let chosen = store.map_or_else(String::new, |store| store.id.to_string());
    let questions = [
        FormField::search(SEARCH, "Search for", query.get(SEARCH)),
        FormField::choice(STORES, "Prices for", &chosen, options),
    ];
    let page = ProductsPage {
        frame: visit.frame(&[tab.label, "Catalog"])?,
        path: tab.path,
        questions: questions
            .map(|question| question.errors(errors.as_ref()))
            .into(),
        is_filtered: query.has(SEARCH) && !query.get(SEARCH).trim().is_empty(),
        has_store: !stores.is_empty(),
        count: count_text(count),
        variants,
        lists_prices: tab == PRICES,
        links,
        export: tab.export(&visit),
        import: Tab::import(&visit),
        errors,
    };
    Reply::form(&page, page.errors.as_ref())
}

struct ProductList {
    products: Vec<Product>,
    next: Option<String>,
    /// Number of matching products on all pages.
    count: u64,
    at: Timestamp,
}

async fn found(
    visit: &SignedInRequest,
    store: &Store,
    paging: &Paging,
) -> Result<ProductList, ProductError> {
    let services = visit.services();
    // `Paging::read` passes on entries only, so the search stores the count and the time here.
    let seen = Cell::new((0, services.clock.now()));
    let seen_by_search = &seen;
    let search = |paging| async move {
        let draft = ProductSearchDraft {
            search_key: visit.query().text(SEARCH),
            paging,
        };
        let product_page = services.products.search(store, &draft).await?;
        seen_by_search.set((product_page.count, product_page.at));
        Ok::<_, ProductError>(product_page.page)
    };
    let listed = paging.read(search).await?;
    let (count, at) = seen.get();
    Ok(ProductList {
        products: listed.entries,
        next: listed.next_cursor,
        count,
        at,
    })
}

fn rows(list: &ProductList, store: &Store) -> Vec<VariantRow> {
    let products = list.products.iter();
    let variants = products.flat_map(|product| {
        let variants = product.variants.iter();
        variants.map(move |offered| (product, offered))
    });
    variants
        .map(|(product, offered)| row(product, offered, store, list.at))
        .collect()
}

fn row(product: &Product, offered: &Offered, store: &Store, at: Timestamp) -> VariantRow {
    let price = offered.unit_price(store.currency, at);
    VariantRow {
        variant: offered.variant.clone(),
        product: product.name.clone(),
        price: price.map_or_else(
            || format!("none in {}", store.currency),
            |price| money(price.amount, store.currency),
        ),
        prices: prices_of(offered, store, at),
    }
}

/// Returns the prices of `offered` in the price list of `store`, the service's price list and the
/// catalog, newest first in each list. Marks the price that applies at the time `at`.
fn prices_of(offered: &Offered, store: &Store, at: Timestamp) -> Vec<PriceRow> {
    let variant = &offered.variant;
    let current = offered.unit_price(store.currency, at);
    let mut listed: Vec<&ListPrice> = offered.prices.iter().collect();
    listed.sort_by_key(|price| (price.store.is_none(), std::cmp::Reverse(price.valid_from)));
    let holds = |source: PriceSource, price: &ListPrice| {
        price.currency == store.currency && current.is_some_and(|current| current.source == source)
    };
    let of_lists = listed.into_iter().map(|price| {
        let (list, source) = match price.store {
            Some(_) => ("the store's list", PriceSource::StoreList(price.valid_from)),
            None => ("the service's list", PriceSource::List(price.valid_from)),
        };
        PriceRow {
            list,
            amount: money(price.amount, price.currency),
            from: Some(price.valid_from),
            holds: holds(source, price),
        }
    });
    let of_catalog = variant.price.map(|amount| PriceRow {
        list: "the catalog",
        amount: money(amount, variant.currency),
        from: None,
        holds: current.is_some_and(|current| current.source == PriceSource::Catalog),
    });
    of_lists.chain(of_catalog).collect()
}
