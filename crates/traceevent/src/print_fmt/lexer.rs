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
    /// A name or a number.
    Word(String),
    /// A string literal or a character constant, escapes untouched.
    Text(String),
    /// The start of one, up to a character that trace-cmd does not read on at: a tab, a letter that is not of ASCII. It is
    /// the last token.
    Cut(String),
    Punctuation(&'static str),
}

/// Longest first, so that `<<` is not two `<`.
const PUNCTUATION: [&str; 35] = [
    "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->", "++", "(", ")", "{", "}", "[", "]", ",", "?", ":", "+", "-",
    "*", "/", "%", "&", "|", "^", "~", "!", "<", ">", ";", ".", "=", "@",
];

pub(super) fn tokens(text: &str) -> Result<Vec<Token>, PrintFmtError> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let at = text.len() - rest.len();
        let (kind, behind) = if first == '"' || first == '\'' {
            let (string, behind) = quoted(rest, first).ok_or_else(|| syntax(text, "", "a closing quote"))?;
            match string.find(|c: char| !is_readable(c)) {
                None => (TokenKind::Text(string.to_owned()), behind),
                Some(0) => break,
                Some(end) => (TokenKind::Cut(string.get(..end).unwrap_or_default().to_owned()), ""),
            }
        } else if is_word(first) {
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            let (word, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
            (TokenKind::Word(word.to_owned()), behind)
        } else if !is_readable(first) {
            break;
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

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn is_readable(c: char) -> bool {
    matches!(c, ' '..='~' | '\n')
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

/// What is between the quote that `rest` starts with and the next one that no backslash precedes, and what follows.
fn quoted(rest: &str, quote: char) -> Option<(&str, &str)> {
    let inside = rest.get(1..)?;
    let mut escaped = false;
    let end = inside.find(|c| {
        let closes = c == quote && !escaped;
        escaped = c == '\\' && !escaped;
        closes
    })?;
    Some((inside.get(..end)?, inside.get(end + 1..)?))
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
            kinds(r#""a\n\"" "b", REC->x<<0x10UL == 010 'A'"#),
            vec![
                Text(r#"a\n\""#.into()),
                Text("b".into()),
                Punctuation(","),
                Word("REC".into()),
                Punctuation("->"),
                Word("x".into()),
                Punctuation("<<"),
                Word("0x10UL".into()),
                Punctuation("=="),
                Word("010".into()),
                Text("A".into()),
            ]
        );
    }

    #[test]
    fn what_is_no_token_is_named() {
        let error = tokens("1 $").unwrap_err();
        assert_eq!(error.to_string(), "at byte 2 of the print fmt: `$` instead of a token");
        assert!(tokens(r#""open"#).is_err());
        assert!(tokens(r#""open\""#).is_err());
        assert!(tokens("'").is_err());
        assert_eq!(kinds("\"a\tb\" c"), vec![TokenKind::Cut("a".into())]);
        assert_eq!(kinds("1 é 2"), vec![TokenKind::Word("1".into())]);
    }
}
