//! The routes of the account.

use crate::route::{Access, Route, signed};

pub(crate) const ROUTES: &[Route] = &[
    Route::page(
        "/console/account",
        "Account",
        Access::SignedIn,
        signed!(super::show),
    ),
    Route::action(
        "/console/account",
        "Save",
        Access::SignedIn,
        signed!(super::save),
    ),
    Route::action(
        "/console/account/password",
        "Change password",
        Access::SignedIn,
        signed!(super::set_password),
    ),
    Route::action(
        "/console/account/sessions/revoke",
        "End session",
        Access::SignedIn,
        signed!(super::revoke_session),
    )
    .confirmed(),
];
