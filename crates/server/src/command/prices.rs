//! `pressline prices`: imports and exports price lists.

use std::collections::HashSet;

use pressline_domain::catalog::ListPrice;
use pressline_domain::id::StoreId;
use pressline_domain::money::Currency;
use pressline_domain::store::Store;
use pressline_domain::time::Timestamp;

use crate::cli::{ImportArgs, PricesCommand};
use crate::config::Settings;
use crate::failure::Failure;
use crate::files::{Former, Known, Location, Table, prices};
use crate::wiring::Backends;

use super::Output;
use super::exchange::{self, Listed, Words};

pub(super) async fn run(
    settings: &Settings,
    command: PricesCommand,
    output: &Output,
) -> Result<(), Failure> {
    match command {
        PricesCommand::Import { from, replace } => import(settings, &from, replace, output).await,
        PricesCommand::Export(to) => {
            let backends = Backends::open_migrated(settings).await?;
            let known = Known {
                stores: exchange::stores(&backends).await?,
                ..Known::default()
            };
            let prices = backends.catalog_admin.prices().await?;
            exchange::export(&prices::sheet(&prices, &known), &to, output)
        }
    }
}

async fn import(
    settings: &Settings,
    from: &ImportArgs,
    replace: bool,
    output: &Output,
) -> Result<(), Failure> {
    let table = Table::load(&Location::input(&from.file, from.format)?, &prices::SHAPE)?;
    let backends = Backends::open_migrated(settings).await?;
    let mut known = exchange::known(&backends, &table.texts("sku")).await?;
    let currencies = table.texts("currency");
    let other = |store: &Store| {
        currencies
            .iter()
            .any(|currency| currency != store.currency.code())
    };
    if known.stores.iter().any(other) {
        known.former = Former::of_prices(&backends.catalog_admin.prices().await?);
    }
    let prices = prices::read(table, &known)?;
    let mut rows = Vec::new();
    if from.verbose {
        let before = replaced(backends.catalog_admin.prices().await?, &prices, replace);
        let (before, after) = (
            prices::sheet(&before, &known),
            prices::sheet(&prices, &known),
        );
        rows = exchange::row_changes(&before, &after)?;
    }
    let listed = if from.verbose {
        Listed::Rows(&rows)
    } else {
        Listed::None
    };
    let (options, bar) = exchange::options("Importing", prices.len(), from.dry_run, replace);
    let imported = backends.catalog_admin.set_prices(&prices, &options).await;
    bar.end();
    let words = Words {
        things: "prices",
        gone: "removed",
    };
    exchange::print_imported(output, &words, prices.len(), &imported?, &options, &listed)
}

/// Those prices that others take the place of: of the same moment or, where whole lists are
/// replaced, of the same list.
fn replaced(mut there: Vec<ListPrice>, come: &[ListPrice], whole_lists: bool) -> Vec<ListPrice> {
    fn moment(price: &ListPrice) -> (Option<StoreId>, &str, Currency, Timestamp) {
        (price.store, &price.sku, price.currency, price.valid_from)
    }
    let lists: HashSet<Option<StoreId>> = come.iter().map(|price| price.store).collect();
    let moments: HashSet<_> = come.iter().map(moment).collect();
    there.retain(|price| {
        if whole_lists {
            lists.contains(&price.store)
        } else {
            moments.contains(&moment(price))
        }
    });
    there
}
