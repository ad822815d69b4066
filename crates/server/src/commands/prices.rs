//! `pressline prices`: imports and exports price lists.

use crate::cli::{ImportArgs, PricesCommand};
use crate::config::Settings;
use crate::failure::Failure;
use crate::files::{Known, Table, prices};
use crate::wiring::Backends;

use super::Output;
use super::exchange::{self, Words};

pub(super) async fn run(settings: &Settings, command: PricesCommand, output: &Output) -> Result<(), Failure> {
    match command {
        PricesCommand::Import { from, replace } => import(settings, &from, replace, output).await,
        PricesCommand::Export(to) => {
            let backends = Backends::open_migrated(settings).await?;
            let known = Known { stores: exchange::stores(&backends).await?, ..Known::default() };
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
    let table = Table::load(&from.file, &prices::SHAPE)?;
    let backends = Backends::open_migrated(settings).await?;
    let known = exchange::known(&backends, &settings.tariff()?, &table.texts("sku")).await?;
    let prices = prices::read(table, &known)?;
    let (options, bar) = exchange::options("Importing", prices.len(), from.dry_run, replace);
    let imported = backends.catalog_admin.set_prices(&prices, &options).await;
    bar.end();
    let words = Words { things: "prices", gone: "removed" };
    exchange::print_imported(output, &words, prices.len(), &imported?, &options)
}
