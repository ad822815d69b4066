//! A working day in the console, in three ways: with scripts, without, and by keyboard.

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
    in_browser(|driver| {
        let shop = Shop::open();
        shop.order("shop-1");
        shop.mug("shop-2");
        shop.mug("shop-3");
        let desk = Desk::with(driver, &shop.server, runs_scripts, hands);
        desk.sign_in(&shop.site, "Ana");
        one_order(&desk);
        the_queue(&desk);
        account(&desk);
        desk.press("Sign out");
        desk.sees("You have signed out.");
        desk.leave();
    });
}

fn one_order(desk: &Desk) {
    desk.fill("Find order", "sun-1-2");
    desk.press("Find");
    desk.is_at("SUN-1");
    desk.unfold("Not possible now");
    desk.sees("only while an item is on-hold");
    desk.follow("Hold");
    // Initially, all items are ticked.
    desk.tick("SUN-1-2 Shirt, M (1 unit)");
    desk.fill("Reason", "the blank is out of stock");
    desk.press("Hold");
    desk.sees("On hold.");
    desk.sees("the blank is out of stock");
    desk.press("Release SUN-1");
    desk.sees("Released.");
    desk.follow("Add fee line");
    desk.fill("Amount", "many");
    desk.fill("Reason", "rush");
    desk.press("Add fee line");
    desk.sees("There is a problem");
    assert_eq!(desk.value("Reason"), "rush");
    desk.fill("Amount", "4.50");
    desk.press("Add fee line");
    desk.sees("Fee line added.");
    desk.sees("4.50 USD");
    desk.fill("New note", "called the customer");
    desk.press("Add note");
    desk.sees("Note added.");
}

fn the_queue(desk: &Desk) {
    desk.follow("Queue");
    desk.is_at("Queue");
    desk.tick("Select SUN-1-1");
    desk.tick("Select SUN-2-1");
    desk.press("Start");
    desk.sees("2 items started.");
    desk.tick("ready");
    desk.press("Apply filters");
    desk.sees("Items on this page: 2");
    desk.tick("All that match");
    desk.press("Hold");
    desk.sees("Hold: 2 items of 2 orders.");
    desk.fill("Reason", "the press is being cleaned");
    desk.press("Hold 2 items");
    desk.sees("2 items put on hold.");
}

fn account(desk: &Desk) {
    desk.follow("Ana");
    desk.choose("Theme", "Dark");
    desk.press("Save");
    desk.sees("Saved.");
    assert_eq!(desk.value("Theme"), "dark");
}

#[test]
fn single_keys_move_select_open_find_and_help() {
    in_browser(|driver| {
        let shop = Shop::open();
        shop.mug("shop-1");
        shop.mug("shop-2");
        let desk = Desk::open(driver, &shop.server);
        desk.sign_in(&shop.site, "Ana");
        desk.go("/console/queue");
        desk.is_at("Queue");
        for key in ['j', 'j', 'x', '?'] {
            desk.key(key);
        }
        desk.sees("Next row, previous row");
        desk.press("Close");
        let box_of = "[aria-label='Select SUN-2-1']:checked";
        let ticked = desk.client.find(super::webdriver::Locator::Css(box_of));
        assert!(ticked.is_ok(), "the second row is not selected");
        desk.key('/');
        for key in "sun-2".chars() {
            desk.key(key);
        }
        desk.key('\u{e007}');
        desk.is_at("SUN-2");
        desk.leave();
    });
}
