//! Requests of stores, decided on the Problems page, in three ways.

use super::webdriver::Locator;
use serde_json::json;

use super::desk::{Desk, Hands};
use super::driver::in_browser;
use super::shop::Shop;
use crate::common::update;

#[test]
fn changes_are_decided_with_scripts() {
    decisions(true, Hands::Mouse);
}

#[test]
fn changes_are_decided_without_scripts() {
    decisions(false, Hands::Mouse);
}

#[test]
fn changes_are_decided_by_keyboard_alone() {
    decisions(true, Hands::Keys);
}

fn decisions(runs_scripts: bool, hands: Hands) {
    in_browser(|driver| {
        let shop = Shop::open();
        for order_id in ["shop-1", "shop-2", "shop-3"] {
            shop.mug(order_id);
            let named = json!({ "order_id": order_id, "reason": "bought twice" });
            shop.store.call("cancel", &named).ok();
        }
        let desk = Desk::with(driver, &shop.server, runs_scripts, hands);
        desk.sign_in(&shop.site, "Ana");
        // The link contains the number of problems, counted in the background.
        let problems = "//nav//a[starts-with(normalize-space(.), 'Problems')]";
        desk.follow_at(problems, "Problems");
        desk.is_at("Problems");
        desk.sees("Orders on this page: 3");
        approve(&desk);
        focus_is_on(&desk, "problem-SUN-2");
        desk.press("Refuse SUN-2");
        desk.sees("There is a problem");
        desk.fill("Reason, or question", "it is printed");
        desk.press("Refuse SUN-2");
        desk.sees("SUN-2: Refused.");
        focus_is_on(&desk, "problem-SUN-3");
        desk.fill("Find order", "SUN-1");
        desk.press("Find");
        desk.is_at("SUN-1");
        desk.sees("2.50 USD");
        desk.sees("the blank was ordered");
        desk.press("Sign out");
        desk.sees("You have signed out.");
        desk.leave();
    });
}

fn approve(desk: &Desk) {
    desk.unfold("With a fee line");
    desk.choose("Fee", "handling");
    desk.fill("Amount", "2.50");
    desk.fill("Reason of the fee", "the blank was ordered");
    desk.press("Approve SUN-1");
    desk.sees("SUN-1: Approved. Fee line added.");
    desk.sees("Orders on this page: 2");
}

/// Asserts that the element `id` has the focus and is the page's `:target`.
fn focus_is_on(desk: &Desk, id: &str) {
    let focused = desk.client.active_element();
    assert_eq!(focused.attr("id").as_deref(), Some(id));
    let target = Locator::Css(":target");
    let target = desk.client.find(target).unwrap();
    assert_eq!(target.attr("id").as_deref(), Some(id));
}

#[test]
fn a_requested_change_is_shown_with_old_and_new_values_and_what_it_costs() {
    in_browser(|driver| {
        let shop = Shop::open();
        let mug = shop.mug("shop-1");
        let mut more = update("shop-1");
        let item = &mug["childDetails"][0]["id"];
        more["line_items"] = json!([{ "appItemId": item, "quantity": 3 }]);
        more["reason"] = json!("a set of three");
        shop.store.call("update", &more).ok();
        for runs_scripts in [true, false] {
            let desk = Desk::with(driver, &shop.server, runs_scripts, Hands::Mouse);
            desk.sign_in(&shop.site, "Ana");
            for path in [
                "/console/problems",
                "/console/orders/SUN-1",
                "/console/orders/SUN-1/decide?decision=approve",
            ] {
                desk.go(path);
                desk.sees("a set of three");
                for [label, old, new] in [
                    ["Asked for", "1", "3"],
                    ["If approved", "5.20 USD", "15.60 USD"],
                ] {
                    let row = format!(
                        "//tr[td[normalize-space(.)='{old}'] and td[@data-label='{label}' and \
                         normalize-space(.)='{new}']]"
                    );
                    desk.finds(&row);
                }
            }
            desk.go("/console/problems");
            if !runs_scripts {
                desk.press("Approve SUN-1");
                desk.sees("SUN-1: Approved.");
            }
            desk.leave();
        }
        let order = shop.store.stored("shop-1");
        assert_eq!(order["productCost"], json!(15.6));
    });
}
