//! Row of a form's result.

form_columns!(define_cold_row!
    FormRow
);
