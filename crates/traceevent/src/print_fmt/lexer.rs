//! Print fmt text to tokens.

use super::PrintFmtError;

/// A token and where it starts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub at: usize,
    pub kind: TokenKind,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    Word(String),
    Number(i64),
    /// Neighbouring strings are one, as in C.
    Text(String),
    Punctuation(&'static str),
}

/// Longest first, so that `<<` is not two `<`.
const PUNCTUATION: [&str; 30] = [
    "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->", "(", ")", "{", "}", "[", "]", ",", "?", ":", "+", "-", "*",
    "/", "%", "&", "|", "^", "~", "!", "<", ">",
];

pub(super) fn tokens(text: &str) -> Result<Vec<Token>, PrintFmtError> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let at = text.len() - rest.len();
        let (kind, behind) = if first == '"' {
            let (string, behind) = string(text, rest)?;
            if let Some(Token {
                kind: TokenKind::Text(before),
                ..
            }) = tokens.last_mut()
            {
                before.push_str(&string);
                rest = behind.trim_start();
                continue;
            }
            (TokenKind::Text(string), behind)
        } else if first == '\'' {
            character(text, rest)?
        } else if first.is_ascii_digit() {
            number(text, rest)?
        } else if first.is_alphabetic() || first == '_' {
            let (word, behind) = split_while(rest, |c| c.is_alphanumeric() || c == '_');
            (TokenKind::Word(word.to_owned()), behind)
        } else {
            let (symbol, behind) = PUNCTUATION
                .iter()
                .find_map(|&symbol| Some((symbol, rest.strip_prefix(symbol)?)))
                .ok_or_else(|| syntax(text, rest, "a token"))?;
            (TokenKind::Punctuation(symbol), behind)
        };
        tokens.push(Token { at, kind });
        rest = behind.trim_start();
    }
    Ok(tokens)
}

fn syntax(text: &str, rest: &str, expected: &'static str) -> PrintFmtError {
    PrintFmtError::Syntax {
        at: text.len() - rest.len(),
        found: rest
            .chars()
            .next()
            .map_or_else(|| "the end".to_owned(), |c| format!("`{c}`")),
        expected,
    }
}

fn split_while(text: &str, accept: impl Fn(char) -> bool) -> (&str, &str) {
    let end = text.find(|c| !accept(c)).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// Decimal, hexadecimal or octal, with any `u`/`l` suffix. Numbers above `i64::MAX` keep their bits.
fn number<'a>(text: &str, rest: &'a str) -> Result<(TokenKind, &'a str), PrintFmtError> {
    let (word, behind) = split_while(rest, |c| c.is_ascii_alphanumeric());
    let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
    let parsed = if let Some(hex) = digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        u64::from_str_radix(hex, 16)
    } else if digits.len() > 1 && digits.starts_with('0') {
        u64::from_str_radix(digits, 8)
    } else {
        digits.parse()
    };
    let number = parsed.map_err(|_| syntax(text, rest, "a number of at most 64 bits"))?;
    Ok((TokenKind::Number(number as i64), behind))
}

/// `"..."` without its quotes, escapes resolved.
fn string<'a>(text: &str, rest: &'a str) -> Result<(String, &'a str), PrintFmtError> {
    let mut out = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Ok((out, rest.get(at + 1..).unwrap_or_default())),
            '\\' => match chars.next() {
                Some((_, escaped)) => out.push(unescape(escaped)),
                None => break,
            },
            c => out.push(c),
        }
    }
    Err(syntax(text, "", "the string's closing quote"))
}

/// `'x'` is its code, as in C.
fn character<'a>(text: &str, rest: &'a str) -> Result<(TokenKind, &'a str), PrintFmtError> {
    let mut chars = rest.chars();
    let code = match chars.nth(1) {
        Some('\\') => chars.next().map(unescape),
        other => other,
    };
    match (code, chars.next()) {
        (Some(code), Some('\'')) => Ok((TokenKind::Number(i64::from(u32::from(code))), chars.as_str())),
        _ => Err(syntax(text, rest, "a character")),
    }
}

fn unescape(c: char) -> char {
    match c {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        '0' => '\0',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<TokenKind> {
        tokens(text).unwrap().into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn tokens_are_told_apart() {
        use TokenKind::*;
        assert_eq!(
            kinds(r#""a\n" "b", REC->x<<0x10UL == 010 'A'"#),
            vec![
                Text("a\nb".into()),
                Punctuation(","),
                Word("REC".into()),
                Punctuation("->"),
                Word("x".into()),
                Punctuation("<<"),
                Number(16),
                Punctuation("=="),
                Number(8),
                Number(65),
            ]
        );
        assert_eq!(kinds("0xffffffffffffffff"), vec![Number(-1)]);
    }

    #[test]
    fn what_is_no_token_is_named() {
        let error = tokens("1 $").unwrap_err();
        assert_eq!(error.to_string(), "at byte 2 of the print fmt: `$` instead of a token");
        assert!(tokens(r#""open"#).is_err());
        assert!(tokens("'").is_err());
        assert!(tokens("0x").is_err());
    }
}
