//! Cases about the maximum number of search words of an order.

use pressline_domain::error::RepositoryError;
use pressline_domain::order::search::{SearchFilter, Start};
use pressline_domain::order::{LineItem, Order, OrderParts};
use pressline_domain::pricing::fees::Bill;
use pressline_kit::words::{MAX_KEY_CHARS, MAX_KEY_WORDS, SearchKey, fit};

use super::{Shop, create, ids, update};
use crate::check::{holds, same};
use crate::samples::{WIDEST_ITEMS, at, changed};
use crate::{Adapters, Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    every_word_of_the_widest_order_finds_it,
    texts_that_grow_when_they_are_folded_find_their_order,
    an_order_whose_words_do_not_fit_is_refused,
];

/// The widest order has more than 30,000 words; every `SAMPLED`th word is searched.
const SAMPLED: usize = 41;

impl Shop {
    /// Returns an order of 100 items. Strings of the first `items` items have as many different
    /// words as their length allows.
    fn wide(&mut self, order_id: &str, items: usize) -> Result<OrderParts, CaseError> {
        self.random.wide_order(self.store, order_id, items)
    }

    /// Searches for all `words`, with as many words per key as allowed.
    async fn look_for(&self, words: &[&str], order: &Order) -> CaseResult {
        let mut rest = words;
        while !rest.is_empty() {
            let mut text = String::new();
            let mut taken = 0;
            for word in rest.iter().take(MAX_KEY_WORDS) {
                // The length of a key is limited too.
                if taken > 0 && text.chars().count() + 1 + word.chars().count() > MAX_KEY_CHARS {
                    break;
                }
                text.push(' ');
                text.push_str(word);
                taken += 1;
            }
            let key = SearchKey::parse(text.trim())?;
            let filter = SearchFilter {
                key,
                ..SearchFilter::default()
            };
            let found = self.search(self.store, filter, Start::Offset(0), 2).await?;
            same(
                &format!("found by `{text}`"),
                &ids(&found.orders),
                &vec![order.parts().id],
            )?;
            rest = rest.get(taken..).unwrap_or_default();
        }
        Ok(())
    }
}

async fn every_word_of_the_widest_order_finds_it(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let parts = shop.wide("widest", WIDEST_ITEMS)?;
    // `WIDEST_ITEMS` is really the maximum.
    holds(
        "one more item would fit",
        !fit(&shop.wide("wider", WIDEST_ITEMS + 1)?.words()),
    )?;
    let order = create(&shop.orders, parts).await??;
    shop.place("another").await?;
    let words = order.words();
    holds("there are many words", words.iter().count() > 30_000)?;
    let sample: Vec<&str> = words.iter().step_by(SAMPLED).collect();
    shop.look_for(&sample, &order).await?;

    // Repeat the search after a change.
    let mut parts = order.parts().clone();
    parts.production_note = Some("changed".to_owned());
    let change = changed(&order, parts, at(5000))?;
    let stored = update(&shop.orders, &change).await?;
    let sample: Vec<&str> = words.iter().skip(5).step_by(5 * SAMPLED).collect();
    shop.look_for(&sample, &stored).await
}

/// Regression test: 300 strings of U+3316, which folds to six characters each, once took more than
/// 1 MiB of words.
async fn texts_that_grow_when_they_are_folded_find_their_order(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let mut parts = shop.parts("grown")?;
    let text = |number: usize| format!("{number}{}", "\u{3316}".repeat(250));
    let item = shop.random.item();
    parts.items = (0..100)
        .map(|number| LineItem {
            id: shop.random.item().id,
            sku: text(3 * number),
            name: Some(text(3 * number + 1)),
            ref_id: Some(text(3 * number + 2)),
            ..item.clone()
        })
        .collect();
    parts.bill = Bill::default();
    let order = create(&shop.orders, parts).await??;
    shop.place("another").await?;
    for number in (0..300).step_by(7) {
        shop.look_for(&[&text(number)], &order).await?;
    }
    Ok(())
}

async fn an_order_whose_words_do_not_fit_is_refused(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let too_wide = shop.wide("too-wide", 100)?;
    let refused = |outcome: &Result<Order, RepositoryError>| {
        matches!(outcome, Err(RepositoryError::TooLarge(_)))
    };
    let outcome = create(&shop.orders, too_wide.clone()).await?;
    holds("it was not refused as too large", refused(&outcome))?;
    same(
        "nothing is stored",
        &shop.find(shop.store, "too-wide").await?,
        &None,
    )?;

    let order = shop.place("grows").await?;
    let grown = changed(
        &order,
        OrderParts {
            items: too_wide.items,
            bill: Bill::default(),
            ..order.parts().clone()
        },
        at(5000),
    )?;
    let outcome = update(&shop.orders, &grown).await;
    holds("the update was not refused as too large", refused(&outcome))?;
    same(
        "the order is as before",
        &shop.find(shop.store, "grows").await?.as_ref(),
        &Some(&order),
    )
}
