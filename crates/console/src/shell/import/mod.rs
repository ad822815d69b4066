//! Imports of files, all in one flow: a file is chosen and checked, a preview shows its lines, and
//! then it is imported, or its errors are downloaded.
//!
//! Between check and import the file is kept in the database, so that any server can answer. It is
//! checked again each time its preview is shown, because others may have changed data meanwhile.

mod flow;
mod importer;

pub(crate) use flow::{errors, receive, run, show};
pub(crate) use importer::{
    ImportPreview, Importer, LISTED, PreviewLine, Ran, Wrong, change_counts,
};

/// Makes the routes of the importer with the path `$path`.
macro_rules! import_routes {
    ($path:literal, $access:expr, $importer:ident) => {
        [
            Route::search(
                $path,
                $importer.name,
                $access,
                signed!($crate::shell::import::show, &$importer),
            ),
            Route::action(
                $path,
                "Check file",
                $access,
                signed!($crate::shell::import::receive, &$importer),
            )
            .uploading(),
            Route::search(
                concat!($path, "/errors.csv"),
                "Download errors",
                $access,
                signed!($crate::shell::import::errors, &$importer),
            ),
            Route::action(
                concat!($path, "/run"),
                "Import rows",
                $access,
                signed!($crate::shell::import::run, &$importer),
            ),
        ]
    };
}

pub(crate) use import_routes;
