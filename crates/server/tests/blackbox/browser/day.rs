//! A day at the desk, in three ways.

use super::desk::{Desk, Hands};
use super::driver::in_browser;
use super::shop::Shop;

#[test]
fn a_day_at_the_desk_with_scripts() {
    day(true, Hands::Mouse);
}

#[test]
fn a_day_at_the_desk_without_scripts() {
    day(false, Hands::Mouse);
}

#[test]
fn a_day_at_the_desk_by_keyboard_alone() {
    day(true, Hands::Keys);
}

fn day(runs_scripts: bool, hands: Hands) {
    in_browser(async |driver| {
        let shop = Shop::open();
        shop.order("shop-1");
        shop.mug("shop-2");
        shop.mug("shop-3");
        let desk = Desk::with(driver, &shop.server, runs_scripts, hands).await;
        desk.sign_in(&shop.site, "Ana").await;
        one_order(&desk).await;
        the_queue(&desk).await;
        account(&desk).await;
        desk.press("Sign out").await;
        desk.sees("You have signed out.").await;
        desk.leave().await;
    });
}

/// Finds an order by the code of an item, holds the other item and releases it, and adds a fee and a note.
async fn one_order(desk: &Desk) {
    desk.fill("Find order", "sun-1-2").await;
    desk.press("Find").await;
    desk.is_at("SUN-1").await;
    desk.unfold("Not possible now").await;
    desk.sees("only while an item is on-hold").await;
    desk.follow("Hold").await;
    // All items are ticked at first.
    desk.tick("SUN-1-2 Shirt, M (1 units)").await;
    desk.fill("Reason", "the blank is out of stock").await;
    desk.press("Hold").await;
    desk.sees("On hold.").await;
    desk.sees("the blank is out of stock").await;
    desk.press("Release SUN-1").await;
    desk.sees("Released.").await;
    desk.follow("Add fee line").await;
    desk.fill("Amount", "many").await;
    desk.fill("Reason", "rush").await;
    desk.press("Add fee line").await;
    desk.sees("There is a problem").await;
    assert_eq!(desk.value("Reason").await, "rush");
    desk.fill("Amount", "4.50").await;
    desk.press("Add fee line").await;
    desk.sees("Fee line added.").await;
    desk.sees("4.50 USD").await;
    desk.fill("New note", "called the customer").await;
    desk.press("Add note").await;
    desk.sees("Note added.").await;
}

/// Starts two items, and puts all others on hold, with a reason.
async fn the_queue(desk: &Desk) {
    desk.follow("Queue").await;
    desk.is_at("Queue").await;
    desk.tick("Select SUN-1-1").await;
    desk.tick("Select SUN-2-1").await;
    desk.press("Start").await;
    desk.sees("2 items started.").await;
    desk.tick("ready").await;
    desk.press("Apply filters").await;
    desk.sees("Items on this page: 2").await;
    desk.tick("All that match").await;
    desk.press("Hold").await;
    desk.sees("Hold: 2 items of 2 orders.").await;
    desk.fill("Reason", "the press is being cleaned").await;
    desk.press("Hold 2 items").await;
    desk.sees("2 items put on hold.").await;
}

/// Chooses another look.
async fn account(desk: &Desk) {
    desk.follow("Ana").await;
    desk.choose("Theme", "Dark").await;
    desk.press("Save").await;
    desk.sees("Saved.").await;
    assert_eq!(desk.value("Theme").await, "dark");
}

#[test]
fn single_keys_move_select_open_find_and_help() {
    in_browser(async |driver| {
        let shop = Shop::open();
        shop.mug("shop-1");
        shop.mug("shop-2");
        let desk = Desk::open(driver, &shop.server).await;
        desk.sign_in(&shop.site, "Ana").await;
        desk.go("/console/queue").await;
        desk.is_at("Queue").await;
        for key in ['j', 'j', 'x', '?'] {
            desk.key(key).await;
        }
        desk.sees("Next row, previous row").await;
        desk.press("Close").await;
        let box_of = "[aria-label='Select SUN-2-1']:checked";
        let ticked = desk.client.find(fantoccini::Locator::Css(box_of)).await;
        assert!(ticked.is_ok(), "the second row is not selected");
        desk.key('/').await;
        for key in "sun-2".chars() {
            desk.key(key).await;
        }
        desk.key('\u{e007}').await;
        desk.is_at("SUN-2").await;
        desk.leave().await;
    });
}
