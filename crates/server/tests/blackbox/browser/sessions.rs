//! Two operators on the same order, and a session that ends while a form is filled in.

use super::desk::{Desk, Hands, sign_in_link};
use super::driver::in_browser;
use super::shop::Shop;

const PASSWORD: &str = "seven wild geese over water";

#[test]
fn two_operators_on_one_order_see_each_others_changes() {
    in_browser(|driver| {
        let shop = Shop::open();
        shop.order("shop-1");
        let ana = Desk::open(driver, &shop.server);
        ana.sign_in(&shop.site, "Ana");
        let otto = Desk::open(driver, &shop.server);
        otto.sign_in(&shop.site, "Otto");
        otto.go("/console/orders/SUN-1/fee-lines");
        otto.fill("Amount", "7.25");
        otto.fill("Reason", "a second proof");
        ana.go("/console/orders/SUN-1");
        ana.press("Start SUN-1");
        ana.sees("Started.");
        otto.press("Add fee line");
        otto.sees("Changed meanwhile");
        otto.sees("SUN-1-1: ready → in-production");
        otto.sees("Ana");
        assert_eq!(otto.value("Amount"), "7.25");
        otto.press("Apply to current");
        otto.sees("Fee line added.");
        otto.sees("7.25 USD");
        ana.leave();
        otto.leave();
    });
}

#[test]
fn form_input_survives_the_end_of_the_session() {
    in_browser(|driver| {
        let shop = Shop::open();
        shop.mug("shop-1");
        let ana = Desk::open(driver, &shop.server);
        ana.sign_in(&shop.site, "Ana");
        ana.go("/console/account");
        ana.fill("New password", PASSWORD);
        ana.press("Set password");
        ana.sees("The password is set.");
        ana.go("/console/orders/SUN-1/move?command=hold");
        ana.fill("Reason", "smudged “ink”");
        let form = ana.client.window();
        // Ana signs out in another tab.
        let other = ana.client.new_tab();
        ana.client.switch_to_window(&other);
        ana.go("/console/account");
        ana.press("Sign out");
        ana.sees("You have signed out.");
        ana.client.close_window();
        ana.client.switch_to_window(&form);
        ana.press("Hold");
        ana.sees("What you typed is kept");
        ana.fill("Name", "Ana");
        ana.fill("Password", PASSWORD);
        ana.press("Sign in");
        ana.sees("smudged “ink”");
        ana.press("Send again");
        ana.sees("On hold.");
        ana.sees("smudged “ink”");
        ana.leave();
    });
}

#[test]
fn form_input_survives_a_sign_in_by_link() {
    in_browser(|driver| {
        let shop = Shop::open();
        shop.mug("shop-1");
        for runs_scripts in [true, false] {
            let ana = Desk::with(driver, &shop.server, runs_scripts, Hands::Mouse);
            ana.sign_in(&shop.site, "Ana");
            ana.go("/console/orders/SUN-1/fee-lines");
            ana.fill("Amount", "7.25");
            ana.fill("Reason", "a second “proof”");
            let form = ana.client.window();
            let other = ana.client.new_tab();
            ana.client.switch_to_window(&other);
            ana.go("/console/account");
            ana.press("Sign out");
            ana.sees("You have signed out.");
            ana.client.switch_to_window(&form);
            ana.press("Add fee line");
            ana.sees("What you typed is kept");
            // The link opens in a tab of the same browser.
            ana.client.switch_to_window(&other);
            ana.go(&sign_in_link(&shop.site, "Ana"));
            ana.press("Sign in");
            ana.sees("a second “proof”");
            ana.press("Send again");
            ana.sees("Fee line added.");
            ana.sees("7.25 USD");
            ana.leave();
        }
    });
}
