//! Imports of files, in steps: a file is chosen and checked, then a preview shows its lines. The
//! operator imports the file or downloads its errors.
//!
//! Between check and import the file is kept in the database, so that any server can answer. It is
//! checked again each time its preview is shown, because others may have changed data meanwhile.

mod flow;
mod importer;

pub(crate) use flow::{errors, receive, run, show};
pub(crate) use importer::{
    ImportRequest, Imported, Importer, MAX_LINES, PreviewLine, Wrong, change_counts, done_text,
};

macro_rules! import_routes {
    ($path:literal, $access:expr, $importer:ident) => {
        routes! {
            page.searching: $path, $importer.name, $access
                => $crate::shell::import::show, &$importer;
            action.uploading: $path, "Check file", $access
                => $crate::shell::import::receive, &$importer;
            page.searching: concat!($path, "/errors.csv"), "Download errors", $access
                => $crate::shell::import::errors, &$importer;
            action: concat!($path, "/run"), "Import rows", $access
                => $crate::shell::import::run, &$importer;
        }
    };
}

pub(crate) use import_routes;
