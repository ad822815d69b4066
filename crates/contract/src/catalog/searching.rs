//! Cases about product search.

use std::collections::BTreeMap;

use pressline_domain::catalog::{
    CatalogVersion, ListPrice, Offered, Product, ProductCount, ProductMatches, ProductQuery,
    ProductRef, ProductStart, Variant, VariantParts,
};
use pressline_domain::value::StoreId;
use pressline_kit::words::SearchKey;

use super::{Shop, in_order};
use crate::check::{holds, same};
use crate::samples::{edit, valid};
use crate::{Adapters, Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    product_pages_are_exact,
    a_product_is_found_by_the_words_of_a_variant,
    the_count_is_that_of_the_state_of_the_page,
    a_known_count_changes_no_page,
];

impl Shop {
    async fn search(
        &self,
        store: StoreId,
        key: Option<&SearchKey>,
        start: ProductStart,
        size: u32,
    ) -> Result<ProductMatches, CaseError> {
        let query = ProductQuery {
            key: key.cloned(),
            start,
            size,
            counted: None,
        };
        let mut found = self.catalog.search(store, &query).await?;
        for offered in found
            .products
            .iter_mut()
            .flat_map(|product| &mut product.variants)
        {
            in_order(&mut offered.prices);
        }
        // The version has a case of its own.
        found.counted.version = CatalogVersion::default();
        Ok(found)
    }

    /// Returns the first of all products for a caller that knows the count `counted`.
    async fn first(&self, counted: ProductCount) -> Result<ProductMatches, CaseError> {
        let query = ProductQuery {
            key: SearchKey::parse("mug")?,
            start: ProductStart::Offset(0),
            size: 1,
            counted: Some(counted),
        };
        Ok(self.catalog.search(self.one, &query).await?)
    }

    /// Returns the ids of the products that match `key`.
    async fn ids(&self, key: &str) -> Result<Vec<String>, CaseError> {
        let key = SearchKey::parse(key)?;
        let found = self
            .search(self.one, key.as_ref(), ProductStart::Offset(0), 100)
            .await?;
        Ok(found
            .products
            .into_iter()
            .map(|product| product.id)
            .collect())
    }

    /// Creates variants of a few products. Some products have only retired variants.
    fn range(&mut self) -> Vec<Variant> {
        let mut variants = self.variants(120);
        for variant in &mut variants {
            let number = self.random.below(45);
            let odd = ["P", "p", "日本 ", "P-", "ä"]
                .get(self.random.index(5))
                .copied()
                .unwrap_or_default();
            let product = number % 9;
            edit(variant, |parts| {
                parts.product.id = format!("{odd}{product}");
                // The first products have a name, the same at all their variants.
                parts.product.name = (product < 4).then(|| format!("Name of {product}"));
                parts.retired |= product == 4;
            });
        }
        variants
    }
}

/// Reference implementation: returns the products that match `key` by checking every variant.
fn matching(
    variants: &[Variant],
    prices: &[ListPrice],
    store: StoreId,
    key: Option<&SearchKey>,
) -> Vec<Product> {
    let mut products: BTreeMap<&str, Vec<&Variant>> = BTreeMap::new();
    for variant in variants.iter().filter(|variant| !variant.retired) {
        products
            .entry(&variant.product.id)
            .or_default()
            .push(variant);
    }
    let own = |price: &&ListPrice| price.store.is_none_or(|of| of == store);
    let offered = |variant: &Variant| {
        let of_sku = prices
            .iter()
            .filter(own)
            .filter(|price| price.sku == variant.sku);
        Offered {
            variant: variant.clone().into(),
            prices: of_sku.cloned().collect(),
        }
    };
    let found = |of: &[&Variant]| {
        key.is_none_or(|key| of.iter().any(|variant| key.matches(&variant.words())))
    };
    let product = |mut of: Vec<&Variant>| {
        of.sort_by(|one, other| one.sku.cmp(&other.sku));
        let first = of.first()?;
        let (id, name) = (first.product.id.clone(), first.product_name().to_owned());
        found(&of).then(|| Product {
            id,
            name,
            variants: of.into_iter().map(offered).collect(),
        })
    };
    products.into_values().filter_map(product).collect()
}

/// Returns the expected page after the first `skipped` matches.
fn page(all: &[Product], skipped: usize, size: usize) -> ProductMatches {
    ProductMatches {
        products: all.iter().skip(skipped).take(size).cloned().collect(),
        more: all.len() > skipped.saturating_add(size),
        counted: ProductCount {
            version: CatalogVersion::default(),
            count: u64::try_from(all.len()).unwrap_or(u64::MAX),
        },
    }
}

async fn product_pages_are_exact(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let nothing = shop
        .search(shop.one, None, ProductStart::Offset(0), 20)
        .await?;
    same("of an empty catalog", &nothing, &ProductMatches::default())?;
    let variants = shop.range();
    shop.import(&variants).await?;
    let mut prices = Vec::new();
    for variant in variants.iter().step_by(3) {
        for list in [None, Some(shop.one), Some(shop.other)] {
            prices.push(shop.random.list_price(list, &variant.sku));
        }
    }
    shop.set_prices(&prices).await?;
    in_order(&mut prices);
    let stores = [shop.one, shop.other];
    let keys = [
        "",
        "mug",
        "do",
        "anna do",
        "100%",
        "日本",
        "sku-00",
        "p-1",
        "o'neil 50%_off*",
        "a_b",
        "%",
        "none",
    ];
    let mut found = 0;
    for (text, store) in keys.into_iter().zip(stores.into_iter().cycle()) {
        let key = SearchKey::parse(text)?;
        let all = matching(&variants, &prices, store, key.as_ref());
        found += all.len();
        let what = format!("by `{text}` ({})", shop.random);
        pages_of(&shop, &what, store, key.as_ref(), &all).await?;
    }
    // Otherwise the keys would prove nothing.
    holds("next to nothing was found", found > 100)
}

/// Checks every page of a search, by offset and by the last id.
async fn pages_of(
    shop: &Shop,
    what: &str,
    store: StoreId,
    key: Option<&SearchKey>,
    all: &[Product],
) -> CaseResult {
    for size in [1_u32, 4, 100] {
        let step = usize::try_from(size)?;
        for skipped in (0..all.len() + step).step_by(step) {
            let start = ProductStart::Offset(u64::try_from(skipped)?);
            let got = shop.search(store, key, start, size).await?;
            same(
                &format!("{what}, {size} from {skipped}"),
                &got,
                &page(all, skipped, step),
            )?;
        }
    }
    for (place, product) in all.iter().enumerate() {
        let start = ProductStart::After(product.id.clone());
        let got = shop.search(store, key, start, 4).await?;
        same(
            &format!("{what}, after {place}"),
            &got,
            &page(all, place + 1, 4),
        )?;
    }
    let far = shop
        .search(store, key, ProductStart::Offset(100_000_000), 100)
        .await?;
    same(
        &format!("{what}, far behind the end"),
        &far,
        &page(all, 100_000_000, 100),
    )?;
    // No product has these ids; the page starts where the id would be.
    for id in ["", "P", "P-\u{10ffff}", "ü"] {
        let skipped = all
            .iter()
            .filter(|product| product.id.as_str() <= id)
            .count();
        let got = shop
            .search(store, key, ProductStart::After(id.to_owned()), 7)
            .await?;
        same(
            &format!("{what}, after `{id}`, which is not there"),
            &got,
            &page(all, skipped, 7),
        )?;
    }
    Ok(())
}

async fn a_product_is_found_by_the_words_of_a_variant(adapters: Adapters) -> CaseResult {
    let shop = Shop::open(adapters).await?;
    let tee = |sku: &str, colour: &str, size: &str| VariantParts {
        product: ProductRef {
            id: "tee-classic".to_owned(),
            name: Some("Áo thun Đỗ".to_owned()),
        },
        options: [("colour", colour), ("size", size)]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
        ..VariantParts::single(sku, &format!("Shirt for {sku}"))
    };
    let mut variants = [
        tee("TS-1", "Forest green", "XL"),
        tee("TS-2", "black", "4500x5400"),
        VariantParts {
            retired: true,
            ..tee("TS-3", "crimson", "M")
        },
        VariantParts::single("MUG_11%", "A mug, 11 oz"),
    ]
    .map(valid);
    shop.import(&variants).await?;
    let (shirt, mug) = (vec!["tee-classic".to_owned()], vec!["MUG_11%".to_owned()]);
    let none: Vec<String> = Vec::new();
    for (key, wanted) in [
        ("ts-1", &shirt),
        ("TEE", &shirt),
        ("classic", &shirt),
        ("ao DO", &shirt),
        ("green fo xl", &shirt),
        ("shirt black", &shirt),
        ("45-00", &shirt),
        ("mug 11", &mug),
        ("mug_11%", &mug),
        ("oz", &mug),
        // Words of two variants, of a retired variant, of an option's name, and of no variant.
        ("green black", &none),
        ("crimson", &none),
        ("ts-3", &none),
        ("colour", &none),
        ("mug_", &mug),
        ("ug", &none),
        ("%", &none),
    ] {
        same(&format!("found by `{key}`"), &shop.ids(key).await?, wanted)?;
    }
    let [green, ..] = &mut variants;
    let violet = vec![("colour".to_owned(), "violet".to_owned())];
    edit(green, |parts| parts.options = violet);
    shop.import(&variants).await?;
    same("found by what it was", &shop.ids("forest").await?, &none)?;
    same("found by what it is", &shop.ids("violet").await?, &shirt)
}

async fn the_count_is_that_of_the_state_of_the_page(adapters: Adapters) -> CaseResult {
    let shop = Shop::open(adapters).await?;
    let mug = |number| valid(VariantParts::single(&format!("MUG-{number}"), "Mug"));
    let mugs = |count| (0..count).map(mug);
    for count in [3_u64, 5] {
        let outdated = shop.first(ProductCount::default()).await?.counted;
        shop.import(&mugs(count).collect::<Vec<_>>()).await?;
        let counted = ProductCount {
            version: shop.version().await?,
            count,
        };
        // Counts of an outdated version must be ignored, whatever their value.
        for count in [outdated.count, 1_000_000, 0] {
            let known = ProductCount { count, ..outdated };
            same(
                "counted after an import",
                &shop.first(known).await?.counted,
                &counted,
            )?;
        }
        same(
            "a known count",
            &shop.first(counted).await?.counted,
            &counted,
        )?;
    }
    Ok(())
}

async fn a_known_count_changes_no_page(adapters: Adapters) -> CaseResult {
    /// Enough matches for an adapter to choose another way of reading.
    const MANY: u32 = 2_100;
    let shop = Shop::open(adapters).await?;
    // All products have a mug; every third product also has a cup.
    let variant = |name: &str, number: u32| {
        let mut parts = VariantParts::single(&format!("{name}-{number:05}"), name);
        parts.product.id = format!("P-{number:05}");
        valid(parts)
    };
    let mugs = (0..MANY).map(|number| variant("Mug", number));
    let cups = (0..MANY).step_by(3).map(|number| variant("Cup", number));
    shop.import(&mugs.chain(cups).collect::<Vec<_>>()).await?;
    for text in ["mug", "cup", ""] {
        let mut query = ProductQuery {
            key: SearchKey::parse(text)?,
            start: ProductStart::Offset(0),
            size: 20,
            counted: None,
        };
        let counted = shop.catalog.search(shop.one, &query).await?.counted;
        // Below and above the offsets at which an adapter may read in another way.
        let offsets = [0, 1, 490, 700, u64::from(MANY) - 10].map(ProductStart::Offset);
        let ids = ["", "P-00007", "P-01050", "P-02090", "P-02099", "Q"];
        let after = ids.map(|id| ProductStart::After(id.to_owned()));
        for start in offsets.into_iter().chain(after) {
            query.start = start;
            query.counted = None;
            let wanted = shop.catalog.search(shop.one, &query).await?;
            for known in [
                counted,
                ProductCount {
                    count: u64::from(MANY),
                    ..counted
                },
            ] {
                query.counted = Some(known);
                let mut got = shop.catalog.search(shop.one, &query).await?;
                // With a wrong known count, only the page is compared.
                got.counted = if known == counted {
                    got.counted
                } else {
                    counted
                };
                same(&format!("`{text}` {:?}", query.start), &got, &wanted)?;
            }
        }
    }
    Ok(())
}
