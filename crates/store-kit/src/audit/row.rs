//! The row of an entry of the audit.

audit_columns!(define_cold_row!
    AuditRow
);
