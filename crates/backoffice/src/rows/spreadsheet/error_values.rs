//! Error values and truth values of spreadsheets, in the languages that translate them.

/// Error values without a final `!` or `?`. All others are recognised by their form. The list has
/// `#N/A` and `#GETTING_DATA` of Excel and LibreOffice in languages that translate them; it is not
/// complete.
const ERRORS: &[&str] = &[
    "#N/A",
    "#NA",
    "#NV",
    "#N/D",
    "#N/B",
    "#N/DISP",
    "#I/T",
    "#Н/Д",
    "#YOK",
    "#HIÁNYZIK",
    "#GETTING_DATA",
    "#DATEN_ABRUFEN",
    "#OBTENIENDO_DATOS",
    "#CHARGEMENT_DONNEES",
];

/// Words before the number of an error that LibreOffice shows, such as `Err:502`.
const NUMBERED: &[&str] = &[
    "err",
    "error",
    "fehler",
    "erreur",
    "errore",
    "erro",
    "fout",
    "błąd",
    "chyba",
    "hiba",
    "fejl",
    "feil",
    "fel",
    "virhe",
    "ошибка",
];

/// Text of Google Sheets until a formula has its result.
const PENDING: &str = "Loading...";

/// The truth values of Excel in languages that translate them, besides TRUE and FALSE.
const TRUTH_VALUES: &[&str] = &[
    "WAHR",
    "FALSCH",
    "VRAI",
    "FAUX",
    "VERDADERO",
    "FALSO",
    "VERO",
    "VERDADEIRO",
    "WAAR",
    "ONWAAR",
    "SANT",
    "SAND",
    "SANN",
    "FALSK",
    "FALSKT",
    "USANN",
    "TOSI",
    "EPÄTOSI",
    "PRAWDA",
    "FAŁSZ",
    "PRAVDA",
    "NEPRAVDA",
    "IGAZ",
    "HAMIS",
    "DOĞRU",
    "YANLIŞ",
    "ИСТИНА",
    "ЛОЖЬ",
];

/// Returns whether `text` is an error value, such as `#REF!`, `#¿NOMBRE?`, `#N/A` or `Err:502`.
pub(super) fn is_error(text: &str) -> bool {
    let is_listed = || ERRORS.contains(&text.to_uppercase().as_str());
    (text.starts_with('#') && (is_marked_error(text) || is_listed()))
        || is_numbered(text)
        || text == PENDING
}

/// `#` and capitals up to a final `!` or `?`: the names of Excel's errors differ by language.
fn is_marked_error(text: &str) -> bool {
    let name = text
        .strip_prefix('#')
        .and_then(|name| name.strip_suffix(['!', '?']))
        .map(|name| name.trim_start_matches(['¡', '¿']));
    let is_of_name = |c: char| c.is_uppercase() || c.is_ascii_digit() || "/_. -".contains(c);
    let starts_with_letter = |name: &str| name.starts_with(char::is_uppercase);
    name.is_some_and(|name| starts_with_letter(name) && name.chars().all(is_of_name))
}

fn is_numbered(text: &str) -> bool {
    let Some((before, after)) = text.split_once(':') else {
        return false;
    };
    let (word, number) = (before.trim().to_lowercase(), after.trim());
    let is_number = number.len() == 3 && number.bytes().all(|byte| byte.is_ascii_digit());
    NUMBERED.contains(&word.as_str()) && is_number
}

/// Returns whether `text` is a truth value, such as `TRUE` or `FALSCH`.
pub(super) fn is_truth_value(text: &str) -> bool {
    let is_english = ["true", "false"]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word));
    is_english || TRUTH_VALUES.contains(&text)
}
