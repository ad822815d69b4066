//! What both diesel stores share: tables, rows and their mapping to the domain.
