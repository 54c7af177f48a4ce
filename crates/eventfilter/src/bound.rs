//! A filter bound to formats, and how it decides on a record.

use traceevent::{Endian, IntField, TextField};

use crate::ast::Op;
use crate::glob::Glob;
use crate::places::Places;
use std::sync::Arc;

/// A record that a filter decides on.
#[derive(Clone, Copy, Debug)]
pub struct RecordToFilter<'a> {
    /// `common_type`.
    pub id: u16,
    /// The CPU that wrote it.
    pub cpu: u32,
    /// In nanoseconds, or the clock's ticks.
    pub ts: u64,
    /// Starts with the common fields.
    pub data: &'a [u8],
}

/// What a filter asks about a record that is not in it. Only filters that name such a thing ask.
pub trait Context {
    /// A task's name.
    fn comm(&self, pid: i32) -> &[u8];
    /// The function that an address falls into.
    fn function(&self, address: u64) -> Option<&str>;
    /// The line as it is printed.
    fn line(&mut self) -> &[u8];
}

/// A filter that is ready for the formats of a trace.
#[derive(Clone, Debug)]
pub struct BoundFilter {
    /// By event id.
    nodes: Vec<Node>,
    common_pid: Option<IntField>,
    endian: Endian,
    places: Arc<Places>,
}

/// A condition on the records of one event. What does not depend on the record is decided.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    True,
    False,
    Any(Vec<Node>),
    All(Vec<Node>),
    Not(Box<Node>),
    Int(Int, Op, i128),
    Ints(Int, Op, Int),
    /// The text is this one (or is not).
    Same(TextOf, Box<[u8]>, bool),
    /// The text fits (or does not).
    Like(TextOf, Glob, bool),
    Line(Glob),
}

/// Where a number comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Int {
    Field {
        load: IntField,
        unsigned: bool,
    },
    Cpu,
    Time,
    /// The CPU on which the task with this pid ran last.
    LastCpu(IntField),
}

/// Where a text comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TextOf {
    Field(TextField),
    /// The task in which the event happened.
    Comm,
    Function(Int),
    Distance(Span),
}

/// Two CPUs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub from: End,
    pub to: End,
}

/// One of them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    /// In a field.
    Field(IntField),
    /// That of the record.
    Cpu,
    /// The one on which the task with this pid ran last.
    Last(IntField),
}

impl Node {
    pub fn of(decided: bool) -> Node {
        if decided {
            Node::True
        } else {
            Node::False
        }
    }

    pub fn any(mut parts: Vec<Node>) -> Node {
        if parts.iter().any(|part| matches!(part, Node::True)) {
            return Node::True;
        }
        parts.retain(|part| !matches!(part, Node::False));
        match (parts.len(), parts.pop()) {
            (_, None) => Node::False,
            (1, Some(only)) => only,
            (_, Some(last)) => {
                parts.push(last);
                Node::Any(parts)
            }
        }
    }

    pub fn all(mut parts: Vec<Node>) -> Node {
        if parts.iter().any(|part| matches!(part, Node::False)) {
            return Node::False;
        }
        parts.retain(|part| !matches!(part, Node::True));
        match (parts.len(), parts.pop()) {
            (_, None) => Node::True,
            (1, Some(only)) => only,
            (_, Some(last)) => {
                parts.push(last);
                Node::All(parts)
            }
        }
    }

    pub fn not(self) -> Node {
        match self {
            Node::True => Node::False,
            Node::False => Node::True,
            Node::Not(part) => *part,
            part => Node::Not(Box::new(part)),
        }
    }

    /// What a comparison of a text says of this one.
    pub fn decides(&self, text: &[u8]) -> bool {
        match self {
            Node::Same(_, wanted, same) => (**wanted == *text) == *same,
            Node::Like(_, glob, like) => glob.matches(text) == *like,
            _ => false,
        }
    }
}

impl BoundFilter {
    pub(crate) fn new(nodes: Vec<Node>, common_pid: Option<IntField>, endian: Endian) -> Self {
        BoundFilter {
            nodes,
            common_pid,
            endian,
            places: Arc::default(),
        }
    }

    /// Tells it where tasks ran, for fields that are [derived](crate::DERIVED) from that.
    pub fn knowing(self, places: Arc<Places>) -> BoundFilter {
        BoundFilter { places, ..self }
    }

    /// Whether some record of the event may pass.
    #[inline]
    pub fn may_take(&self, id: u16) -> bool {
        !matches!(self.nodes.get(usize::from(id)), None | Some(Node::False))
    }

    /// Whether the record passes. What is missing in a short record equals nothing.
    #[inline]
    pub fn takes(&self, record: &RecordToFilter<'_>, context: &mut impl Context) -> bool {
        match self.nodes.get(usize::from(record.id)) {
            None | Some(Node::False) => false,
            Some(Node::True) => true,
            Some(node) => self.decide(node, record, context),
        }
    }

    fn decide(&self, node: &Node, record: &RecordToFilter<'_>, context: &mut impl Context) -> bool {
        match node {
            Node::True => true,
            Node::False => false,
            Node::Any(parts) => parts.iter().any(|part| self.decide(part, record, context)),
            Node::All(parts) => parts.iter().all(|part| self.decide(part, record, context)),
            Node::Not(part) => !self.decide(part, record, context),
            Node::Int(left, op, right) => self.int(*left, record).is_some_and(|left| compare(left, *op, *right)),
            Node::Ints(left, op, right) => {
                let both = self.int(*left, record).zip(self.int(*right, record));
                both.is_some_and(|(left, right)| compare(left, *op, right))
            }
            Node::Same(of, ..) | Node::Like(of, ..) => {
                self.text(*of, record, context).is_some_and(|text| node.decides(text))
            }
            Node::Line(glob) => glob.matches(context.line()),
        }
    }

    #[inline]
    fn int(&self, int: Int, record: &RecordToFilter<'_>) -> Option<i128> {
        Some(match int {
            Int::Field { load, unsigned } => {
                let value = load.load(record.data, self.endian)?;
                if unsigned {
                    i128::from(value as u64)
                } else {
                    i128::from(value)
                }
            }
            Int::Cpu => i128::from(record.cpu),
            Int::Time => i128::from(record.ts),
            Int::LastCpu(pid) => i128::from(self.end(End::Last(pid), record)?),
        })
    }

    fn end(&self, end: End, record: &RecordToFilter<'_>) -> Option<u32> {
        let load = |field: IntField| field.load(record.data, self.endian);
        match end {
            End::Cpu => Some(record.cpu),
            End::Field(field) => u32::try_from(load(field)?).ok(),
            End::Last(pid) => self.places.last_cpu(load(pid)? as i32, record.ts),
        }
    }

    #[inline]
    fn text<'a>(&self, of: TextOf, record: &RecordToFilter<'a>, context: &'a impl Context) -> Option<&'a [u8]> {
        match of {
            TextOf::Field(field) => field.load(record.data, self.endian),
            TextOf::Comm => {
                let pid = self.common_pid?.load(record.data, self.endian)?;
                Some(context.comm(pid as i32))
            }
            TextOf::Function(int) => {
                let address = self.int(int, record)?;
                context.function(address as u64).map(str::as_bytes)
            }
            TextOf::Distance(Span { from, to }) => {
                let (from, to) = (self.end(from, record)?, self.end(to, record)?);
                self.places.distance(from, to).map(str::as_bytes)
            }
        }
    }
}

#[inline]
fn compare(left: i128, op: Op, right: i128) -> bool {
    match op {
        Op::Equal => left == right,
        Op::NotEqual => left != right,
        Op::Less => left < right,
        Op::LessOrEqual => left <= right,
        Op::Greater => left > right,
        Op::GreaterOrEqual => left >= right,
        // Of negative numbers the bits of two's complement.
        Op::Bits => left & right != 0,
        Op::Like | Op::NotLike => false,
    }
}
