//! Tokens to the format string and its argument expressions.
//!
//! The grammar is C's, but how operators group is trace-cmd's, for its reports are what readers compare with: an operator
//! is weighed against the one just before it only, and operators of the same strength group to the right
//! (`10 - 4 - 3` is 9). The fmts of real kernels put brackets where this matters, nearly always.

use super::expr::{Atom, Cast, Expr, Operator, Slot};
use super::lexer::{Token, TokenKind};
use super::PrintFmtError;
use crate::field::Field;
use crate::functions::Function;

/// Real print fmts stay below 50; the bound keeps damaged ones off the stack's end.
const MAX_DEPTH: usize = 200;
/// Looser than any operator: `?`.
const CONDITIONAL: u8 = 20;

pub(super) struct Parsed {
    /// The format string, escapes untouched.
    pub template: String,
    pub arguments: Vec<Expr>,
}

/// What names in a print fmt mean.
#[derive(Clone, Copy)]
pub(crate) struct Names<'f> {
    pub fields: &'f [Field],
    /// Bytes of a `long`.
    pub long_size: u8,
    /// Functions that trace-cmd itself does not know.
    pub functions: fn(&str) -> Option<Function>,
}

pub(super) fn parse(tokens: Vec<Token>, names: Names<'_>) -> Result<Parsed, PrintFmtError> {
    let mut parser = Parser {
        tokens: tokens.into_iter().peekable(),
        names,
        depth: 0,
    };
    let Some(template) = parser.text() else {
        return parser.fail("a format string");
    };
    let mut arguments = Vec::new();
    if parser.tokens.peek().is_some() {
        parser.expect(",")?;
        loop {
            let mut argument = parser.expression()?;
            fold(&mut argument);
            arguments.push(argument);
            if !parser.accept(",") {
                break;
            }
        }
        // What follows a complete argument is left alone, as trace-cmd does, unless it looks like an operator.
        if let Some(symbol) = parser.punctuation().filter(|&symbol| symbol != ")") {
            return parser.fail(symbol);
        }
    }
    Ok(Parsed { template, arguments })
}

pub(super) struct Parser<'f> {
    tokens: std::iter::Peekable<std::vec::IntoIter<Token>>,
    pub(super) names: Names<'f>,
    depth: usize,
}

impl Parser<'_> {
    pub(super) fn punctuation(&mut self) -> Option<&'static str> {
        match self.tokens.peek() {
            Some(Token {
                kind: TokenKind::Punctuation(symbol),
                ..
            }) => Some(symbol),
            _ => None,
        }
    }

    pub(super) fn accept(&mut self, symbol: &str) -> bool {
        let found = self.punctuation() == Some(symbol);
        if found {
            self.tokens.next();
        }
        found
    }

    pub(super) fn expect(&mut self, symbol: &'static str) -> Result<(), PrintFmtError> {
        if self.accept(symbol) {
            Ok(())
        } else {
            self.fail(symbol)
        }
    }

    pub(super) fn fail<T>(&mut self, expected: &'static str) -> Result<T, PrintFmtError> {
        let (at, found) = match self.tokens.peek() {
            Some(token) => (
                token.at,
                match &token.kind {
                    TokenKind::Word(word) => format!("`{word}`"),
                    TokenKind::Text(text) | TokenKind::Cut(text) => format!("\"{text}\""),
                    TokenKind::Punctuation(symbol) => format!("`{symbol}`"),
                },
            ),
            None => (usize::MAX, "the end".to_owned()),
        };
        Err(PrintFmtError::Syntax { at, found, expected })
    }

    /// A string literal; neighbouring ones are one, as in C.
    pub(super) fn text(&mut self) -> Option<String> {
        let mut whole: Option<String> = None;
        while let Some(Token {
            kind: TokenKind::Text(text),
            ..
        }) = self.tokens.peek()
        {
            whole.get_or_insert_default().push_str(text);
            self.tokens.next();
        }
        whole
    }

    pub(super) fn word(&mut self) -> Option<String> {
        match self.tokens.peek() {
            Some(Token {
                kind: TokenKind::Word(word),
                ..
            }) => {
                let word = word.clone();
                self.tokens.next();
                Some(word)
            }
            _ => None,
        }
    }

    pub(super) fn slot(&self, name: &str) -> Option<Slot> {
        let field = self.names.fields.iter().find(|field| field.name == name)?;
        Some(Slot::new(field))
    }

    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T, PrintFmtError>) -> Result<T, PrintFmtError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(PrintFmtError::TooDeep);
        }
        let parsed = parse(self)?;
        self.depth -= 1;
        Ok(parsed)
    }

    /// An operand and all operators behind it.
    pub(super) fn expression(&mut self) -> Result<Expr, PrintFmtError> {
        let operand = self.operand()?;
        if self.operator_follows() {
            self.operator(operand)
        } else {
            Ok(operand)
        }
    }

    /// An operand without the operators behind it; but a sign takes what follows its operand as trace-cmd does.
    pub(super) fn operand(&mut self) -> Result<Expr, PrintFmtError> {
        self.deeper(|parser| match parser.tokens.peek().map(|token| &token.kind) {
            Some(TokenKind::Text(_)) => Ok(Expr::Atom(Atom::new(parser.text().unwrap_or_default()))),
            Some(TokenKind::Cut(text)) => {
                let atom = Atom::new(text.clone());
                parser.tokens.next();
                Ok(Expr::Atom(atom))
            }
            Some(TokenKind::Word(_)) => parser.name(),
            Some(TokenKind::Punctuation("(")) => parser.brackets(),
            Some(TokenKind::Punctuation(symbol)) => match Operator::unary(symbol) {
                Some(operator) => {
                    parser.tokens.next();
                    let right = Box::new(parser.operand()?);
                    let left = None;
                    let node = Expr::Operation { operator, left, right };
                    parser.behind(node, Side::Right, 0)
                }
                None => parser.fail("an expression"),
            },
            None => parser.fail("an expression"),
        })
    }

    fn name(&mut self) -> Result<Expr, PrintFmtError> {
        let mut name = self.word().unwrap_or_default();
        if name == "REC" {
            return self.record_field();
        }
        if self.accept("(") {
            return self.call(&name);
        }
        // `unsigned long`, `struct page`: one atom, whether a type or not.
        while let Some(more) = self.word() {
            name.push(' ');
            name.push_str(&more);
        }
        Ok(Expr::Atom(Atom::new(name)))
    }

    /// The field that is named behind `REC`.
    fn record_field(&mut self) -> Result<Expr, PrintFmtError> {
        self.expect("->")?;
        match self.word() {
            Some(name) => Ok(self.slot(&name).map_or(Expr::NoField, Expr::Field)),
            None => self.fail("a field name"),
        }
    }

    /// `(expression)`, or a cast when an operand follows what is between the brackets; or `(REC)->field`.
    fn brackets(&mut self) -> Result<Expr, PrintFmtError> {
        self.expect("(")?;
        let inside = if self.record_follows() {
            self.tokens.next();
            if self.accept(")") {
                return self.record_field();
            }
            let field = self.record_field()?;
            if self.operator_follows() {
                self.operator(field)?
            } else {
                field
            }
        } else {
            self.expression()?
        };
        self.expect(")")?;
        let operand_follows = matches!(
            self.tokens.peek().map(|token| &token.kind),
            Some(TokenKind::Text(_) | TokenKind::Word(_) | TokenKind::Punctuation("("))
        );
        if !operand_follows {
            return Ok(inside);
        }
        match inside {
            Expr::Atom(type_name) => Ok(Expr::Cast(Cast::to_type(&type_name.text), Box::new(self.operand()?))),
            _ => self.fail("an operator"),
        }
    }

    fn record_follows(&mut self) -> bool {
        matches!(self.tokens.peek().map(|token| &token.kind), Some(TokenKind::Word(word)) if word == "REC")
    }

    /// `:` ends the middle of a conditional; `)`, `,` and `{` belong to calls.
    fn operator_follows(&mut self) -> bool {
        self.punctuation()
            .is_some_and(|symbol| !matches!(symbol, ":" | "(" | ")" | "," | "{" | "}" | "]"))
    }

    /// The operator behind `left` with its right operand, and all that follow.
    fn operator(&mut self, left: Expr) -> Result<Expr, PrintFmtError> {
        self.deeper(|parser| {
            let Some(symbol) = parser.punctuation() else {
                return parser.fail("an operator");
            };
            if symbol == "?" {
                parser.tokens.next();
                let yes = parser.expression()?;
                parser.expect(":")?;
                let no = parser.operand()?;
                return parser.behind(Expr::Conditional(Box::new((left, yes, no))), Side::Right, 0);
            }
            if symbol == "[" {
                parser.tokens.next();
                let index = parser.operand()?;
                parser.expect("]")?;
                return parser.behind(Expr::Element(Box::new((left, index))), Side::Right, 0);
            }
            let Some(operator) = Operator::binary(symbol) else {
                return parser.fail("an operator");
            };
            parser.tokens.next();
            if symbol == "*" && parser.punctuation() == Some(")") {
                // `(struct page *)`
                return match left {
                    Expr::Atom(type_name) => Ok(Expr::Atom(Atom::new(type_name.text + " *"))),
                    _ => parser.fail("an expression"),
                };
            }
            let right = parser.operand()?;
            let (node, side) = join(operator, left, right);
            let looseness = looseness(&node);
            parser.behind(node, side, looseness)
        })
    }

    /// What follows a node just built: a looser operator takes all of it, another one only its `side`.
    fn behind(&mut self, mut node: Expr, side: Side, looseness: u8) -> Result<Expr, PrintFmtError> {
        if !self.operator_follows() {
            return Ok(node);
        }
        let next = match self.punctuation() {
            Some("?") => CONDITIONAL,
            Some(symbol) => Operator::binary(symbol).map_or(0, Operator::looseness),
            None => 0,
        };
        if next > looseness {
            return self.operator(node);
        }
        let place = match (&mut node, side) {
            (Expr::Operation { left: Some(left), .. }, Side::Left) => &mut **left,
            (Expr::Operation { right, .. }, _) => &mut **right,
            (Expr::Conditional(parts), _) => &mut parts.2,
            (Expr::Element(parts), _) => &mut parts.1,
            _ => return self.fail("an operator"),
        };
        let operand = std::mem::replace(place, nothing());
        *place = self.operator(operand)?;
        Ok(node)
    }
}

/// Where the next operator goes that binds as tightly or tighter.
#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

fn nothing() -> Expr {
    Expr::Atom(Atom::new(String::new()))
}

fn looseness(expr: &Expr) -> u8 {
    match expr {
        Expr::Operation {
            operator,
            left: Some(_),
            ..
        } => operator.looseness(),
        _ => 0,
    }
}

/// `left operator right`. When `right` holds a looser operator, brackets around it or not, that one becomes the root and
/// its own left operand joins `left`: `a * (b + c)` is `a * b + c` to trace-cmd.
fn join(operator: Operator, left: Expr, right: Expr) -> (Expr, Side) {
    let node = |right| {
        Box::new(Expr::Operation {
            operator,
            left: Some(Box::new(left)),
            right: Box::new(right),
        })
    };
    match right {
        Expr::Operation {
            operator: root,
            left: inner,
            right,
        } if operator.looseness() < root.looseness() => {
            let inner = inner.map_or_else(nothing, |inner| *inner);
            let left = Some(node(inner));
            let root = Expr::Operation {
                operator: root,
                left,
                right,
            };
            (root, Side::Left)
        }
        Expr::Conditional(parts) => {
            let (condition, yes, no) = *parts;
            (Expr::Conditional(Box::new((*node(condition), yes, no))), Side::Left)
        }
        right => (*node(right), Side::Right),
    }
}

/// Computes what is constant, where trace-cmd does: two constants joined by an operator become one, which `%s` then prints.
pub(super) fn fold(expr: &mut Expr) {
    match expr {
        Expr::Operation {
            operator,
            left: Some(left),
            right,
        } => {
            fold(left);
            fold(right);
            if let (Expr::Atom(a), Expr::Atom(b)) = (&**left, &**right) {
                if let Some(number) = operator.apply(a.constant(), b.constant()) {
                    *expr = Expr::Atom(Atom::of_number(number));
                }
            }
        }
        Expr::Operation { right, .. } => fold(right),
        Expr::Conditional(parts) => {
            fold(&mut parts.0);
            fold(&mut parts.1);
            fold(&mut parts.2);
        }
        _ => {}
    }
}
