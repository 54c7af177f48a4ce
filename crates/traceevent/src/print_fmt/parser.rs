//! Tokens to the format string and its argument expressions: precedence climbing over C's operators.

use super::expr::{Binary, Expr, Unary};
use super::lexer::{Token, TokenKind};
use super::PrintFmtError;

/// Real print fmts stay below 20; the bound keeps damaged ones off the stack's end.
const MAX_DEPTH: usize = 100;
/// Operators of one print fmt; `1+1+1...` is a deep tree without being nested.
const MAX_OPERATORS: usize = 1000;

pub(super) fn parse(tokens: Vec<Token>) -> Result<(String, Vec<Expr>), PrintFmtError> {
    let mut parser = Parser {
        tokens: tokens.into_iter().peekable(),
        depth: 0,
        operators: 0,
    };
    let Some(TokenKind::Text(template)) = parser.next() else {
        return parser.fail("a format string");
    };
    let mut arguments = Vec::new();
    while parser.accept(",") {
        arguments.push(parser.expression()?);
    }
    match parser.tokens.peek() {
        None => Ok((template, arguments)),
        Some(_) => parser.fail("`,` or the end"),
    }
}

struct Parser {
    tokens: std::iter::Peekable<std::vec::IntoIter<Token>>,
    depth: usize,
    operators: usize,
}

impl Parser {
    fn next(&mut self) -> Option<TokenKind> {
        self.tokens.next().map(|token| token.kind)
    }

    fn punctuation(&mut self) -> Option<&'static str> {
        match self.tokens.peek() {
            Some(Token {
                kind: TokenKind::Punctuation(symbol),
                ..
            }) => Some(symbol),
            _ => None,
        }
    }

    fn accept(&mut self, symbol: &str) -> bool {
        let found = self.punctuation() == Some(symbol);
        if found {
            self.tokens.next();
        }
        found
    }

    fn expect(&mut self, symbol: &'static str) -> Result<(), PrintFmtError> {
        if self.accept(symbol) {
            Ok(())
        } else {
            self.fail(symbol)
        }
    }

    fn fail<T>(&mut self, expected: &'static str) -> Result<T, PrintFmtError> {
        let (at, found) = match self.tokens.peek() {
            Some(token) => (token.at, format!("{:?}", token.kind)),
            None => (usize::MAX, "the end".to_owned()),
        };
        Err(PrintFmtError::Syntax { at, found, expected })
    }

    /// `condition ? yes : no`, or anything that binds tighter.
    fn expression(&mut self) -> Result<Expr, PrintFmtError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(PrintFmtError::TooDeep);
        }
        let condition = self.binary(0)?;
        let whole = if self.accept("?") {
            let yes = self.expression()?;
            self.expect(":")?;
            let no = self.expression()?;
            Expr::Conditional(Box::new((condition, yes, no)))
        } else {
            condition
        };
        self.depth -= 1;
        Ok(whole)
    }

    fn binary(&mut self, weakest: u8) -> Result<Expr, PrintFmtError> {
        let mut left = self.unary()?;
        while let Some((operator, strength)) = self.punctuation().and_then(Binary::from_symbol) {
            if strength < weakest {
                break;
            }
            self.tokens.next();
            self.operators += 1;
            if self.operators > MAX_OPERATORS {
                return Err(PrintFmtError::TooDeep);
            }
            let right = self.binary(strength + 1)?;
            left = Expr::Binary(operator, Box::new((left, right)));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr, PrintFmtError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(PrintFmtError::TooDeep);
        }
        let operator = self.punctuation().and_then(|symbol| {
            Some(match symbol {
                "-" => Unary::Negate,
                "~" => Unary::Complement,
                "!" => Unary::Not,
                "+" => Unary::Plus,
                _ => return None,
            })
        });
        let expr = match operator {
            Some(operator) => {
                self.tokens.next();
                Expr::Unary(operator, Box::new(self.unary()?))
            }
            None => self.primary()?,
        };
        self.depth -= 1;
        Ok(expr)
    }

    fn primary(&mut self) -> Result<Expr, PrintFmtError> {
        match self.tokens.peek().map(|token| token.kind.clone()) {
            Some(TokenKind::Number(number)) => {
                self.tokens.next();
                Ok(Expr::Int(number))
            }
            Some(TokenKind::Text(text)) => {
                self.tokens.next();
                Ok(Expr::Text(text))
            }
            Some(TokenKind::Punctuation("(")) => {
                self.tokens.next();
                match self.type_name() {
                    Some(words) => {
                        while self.accept("*") {}
                        self.expect(")")?;
                        Ok(Expr::Cast(words, Box::new(self.unary()?)))
                    }
                    None => {
                        let inner = self.expression()?;
                        self.expect(")")?;
                        Ok(inner)
                    }
                }
            }
            Some(TokenKind::Word(word)) => {
                self.tokens.next();
                if word == "REC" {
                    self.expect("->")?;
                    self.field()
                } else if self.accept("(") {
                    self.call(word)
                } else {
                    Err(PrintFmtError::Unsupported(format!("the name `{word}`")))
                }
            }
            _ => self.fail("an expression"),
        }
    }

    fn field(&mut self) -> Result<Expr, PrintFmtError> {
        match self.tokens.peek() {
            Some(Token {
                kind: TokenKind::Word(name),
                ..
            }) => {
                let field = Expr::Field(name.clone());
                self.tokens.next();
                Ok(field)
            }
            _ => self.fail("a field name"),
        }
    }

    /// The words of a type name, if one is next; `(REC->x)` and `(1 + 2)` are not casts.
    fn type_name(&mut self) -> Option<Vec<String>> {
        let mut words = Vec::new();
        while let Some(Token {
            kind: TokenKind::Word(word),
            ..
        }) = self.tokens.peek()
        {
            if !(is_type_word(word) || words.last().is_some_and(|last| last == "struct" || last == "enum")) {
                break;
            }
            words.push(word.clone());
            self.tokens.next();
        }
        (!words.is_empty()).then_some(words)
    }

    fn call(&mut self, name: String) -> Result<Expr, PrintFmtError> {
        if name != "__print_flags" {
            // Skipped whole: it may belong to an argument that nobody asks for.
            self.skip_call()?;
            return Ok(Expr::UnknownCall(name));
        }
        let value = self.expression()?;
        self.expect(",")?;
        let separator = match self.next() {
            Some(TokenKind::Text(separator)) => separator,
            _ => return self.fail("a separator string"),
        };
        let mut names = Vec::new();
        while self.accept(",") {
            self.expect("{")?;
            let mask = self.expression()?;
            self.expect(",")?;
            let Some(TokenKind::Text(name)) = self.next() else {
                return self.fail("a flag's name");
            };
            self.expect("}")?;
            names.push((mask, name));
        }
        self.expect(")")?;
        Ok(Expr::Flags {
            value: Box::new(value),
            separator,
            names,
        })
    }

    fn skip_call(&mut self) -> Result<(), PrintFmtError> {
        let mut open = 1;
        while open > 0 {
            match self.next() {
                Some(TokenKind::Punctuation("(")) => open += 1,
                Some(TokenKind::Punctuation(")")) => open -= 1,
                Some(_) => {}
                None => return self.fail("`)`"),
            }
        }
        Ok(())
    }
}

fn is_type_word(word: &str) -> bool {
    matches!(
        word,
        "unsigned"
            | "signed"
            | "char"
            | "short"
            | "int"
            | "long"
            | "void"
            | "const"
            | "struct"
            | "enum"
            | "bool"
            | "u8"
            | "u16"
            | "u32"
            | "u64"
            | "s8"
            | "s16"
            | "s32"
            | "s64"
            | "__u8"
            | "__u16"
            | "__u32"
            | "__u64"
            | "__s8"
            | "__s16"
            | "__s32"
            | "__s64"
    ) || word.ends_with("_t")
}
