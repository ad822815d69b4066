//! A small Code 128 decoder after ISO/IEC 15417. It shares no code with the encoder that it checks.

/// Widths of bars and spaces: the values from 0, the starts A, B and C, and the stop.
const PATTERNS: &str = "212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 \
    112232 122132 122231 113222 123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 \
    321221 312212 322112 322211 212123 212321 232121 111323 131123 131321 112313 132113 132311 211313 \
    231113 231311 112133 112331 132131 113123 113321 133121 313121 211331 231131 213113 213311 213131 \
    311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 111422 121124 121421 141122 \
    141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 111242 121142 \
    121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 \
    114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112";

pub(crate) fn read_all(page: &str) -> Vec<String> {
    let pictures = page.split("<svg class=\"barcode\"").skip(1);
    pictures
        .map(|picture| {
            let (_, rest) = picture.split_once("<path d=\"").unwrap();
            decoded(&widths(rest.split('"').next().unwrap()))
        })
        .collect()
}

/// Alternating widths of bars and spaces, starting with a bar.
fn widths(path: &str) -> Vec<u32> {
    let bars = path.strip_prefix("M0 0").unwrap().split('m').skip(1);
    let mut widths = Vec::new();
    let mut before = 0;
    for (index, bar) in bars.enumerate() {
        let (step, rest) = bar.split_once(" 0h").unwrap();
        let width: u32 = rest.split('v').next().unwrap().parse().unwrap();
        let step: u32 = step.parse().unwrap();
        if index == 0 {
            assert!(step >= 10, "the quiet zone has {step} modules");
        } else {
            widths.push(step - before);
        }
        widths.push(width);
        before = width;
    }
    widths
}

fn decoded(widths: &[u32]) -> String {
    let patterns: Vec<&str> = PATTERNS.split_whitespace().collect();
    assert_eq!(patterns.len(), 107);
    let (symbols, stop) = widths.split_at(widths.len() - 7);
    let value = |symbol: &[u32]| {
        let digits: String = symbol.iter().map(ToString::to_string).collect();
        patterns.iter().position(|pattern| *pattern == digits)
    };
    assert_eq!(value(stop), Some(106), "a code ends with the stop");
    let values: Vec<usize> = symbols
        .chunks(6)
        .map(|symbol| value(symbol).unwrap())
        .collect();
    let (check, values) = values.split_last().unwrap();
    let weighted = values.iter().enumerate();
    let sum: usize = weighted.map(|(at, value)| at.max(1) * value).sum();
    assert_eq!(sum % 103, *check, "the check digit");
    let (start, values) = values.split_first().unwrap();
    text(*start, values)
}

/// Decodes `values` after the symbol `start`. Implements sets B and C, and switches to A: the
/// product's codes need no more.
fn text(start: usize, values: &[usize]) -> String {
    let mut set = start;
    let mut text = String::new();
    for value in values.iter().copied() {
        match (set, value) {
            (_, 101) => set = 103,
            (103 | 105, 100) => set = 104,
            (103 | 104, 99) => set = 105,
            (105, pair) if pair < 100 => text.push_str(&format!("{pair:02}")),
            (103, value) if value < 64 => text.push(char::from(u8::try_from(value).unwrap() + 32)),
            (104, value) if value < 95 => text.push(char::from(u8::try_from(value).unwrap() + 32)),
            (set, value) => text.push_str(&format!("?{value} in set {set}?")),
        }
    }
    text
}

#[test]
fn the_decoder_reads_a_code_of_the_standard() {
    // `PJJ123C` in set B, from start to check digit: a commonly printed example.
    let values = [104, 48, 42, 42, 17, 18, 19, 35, 55];
    let patterns: Vec<&str> = PATTERNS.split_whitespace().collect();
    let symbols = values.iter().map(|value| patterns[*value]);
    let all: String = symbols.chain(["2331112"]).collect();
    let widths: Vec<u32> = all.chars().map(|c| c.to_digit(10).unwrap()).collect();
    let sum = 104 + 48 + 2 * 42 + 3 * 42 + 4 * 17 + 5 * 18 + 6 * 19 + 7 * 35;
    assert_eq!(sum % 103, 55);
    assert_eq!(decoded(&widths), "PJJ123C");
}
