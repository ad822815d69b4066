//! The row of a note.

note_columns!(define_cold_row!
    NoteRow
);
