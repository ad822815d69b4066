//! The routes of signing in and out.

use crate::route::{Access, Route, open, signed};

pub(crate) const ROUTES: &[Route] = &[
    Route::action(
        "/console/confirm",
        "Confirm",
        Access::SignedIn,
        signed!(super::confirm),
    ),
    Route::page(
        "/console/sign-in",
        "Sign in",
        Access::Open,
        open!(super::show),
    ),
    Route::action(
        "/console/sign-in",
        "Sign in",
        Access::Open,
        open!(super::sign_in),
    ),
    Route::action(
        "/console/sign-out",
        "Sign out",
        Access::SignedIn,
        signed!(super::sign_out),
    ),
];
