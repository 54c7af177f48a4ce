//! Takes off the layers around a trace, as its bytes come.

use schedrows::DiagnosticKind;

use crate::layer::layer_of;
use crate::MOST;

/// Takes what comes out.
pub type Take<'a> = &'a mut dyn FnMut(&[u8]);

/// Layers one in the other: more are no file that a person made.
const DEPTH: u8 = 6;

/// First bytes by which a layer is recognised: a mail's headers may be this long.
pub(crate) const LAYER_HEAD: usize = 64 << 10;

/// Why a layer gives no more bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Broken {
    /// Its bytes are damaged.
    Damaged,
    /// Its end is missing.
    Short,
    /// Not the bytes that were packed: the check sum is another one.
    Sum,
}

/// Takes off one layer.
pub(crate) trait Decode {
    /// Takes the next bytes.
    fn push(&mut self, bytes: &[u8], take: Take<'_>) -> Result<(), Broken>;

    /// No more bytes come.
    fn finish(&mut self, take: Take<'_>) -> Result<(), Broken>;

    /// What had to be left out.
    fn left_out(&self) -> Option<&'static str> {
        None
    }
}

/// What was wrong with the layers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// `Truncated` for a missing end, `Malformed` for damage, `Unsupported` for what is left out.
    pub kind: DiagnosticKind,
    /// What is wrong, in words.
    pub text: String,
}

/// A layer, and what is in it.
pub(crate) struct Layer {
    /// What it is, in words.
    pub what: &'static str,
    pub decode: Box<dyn Decode>,
}

enum Node {
    /// The first bytes have not all come.
    Deciding {
        head: Vec<u8>,
        depth: u8,
    },
    Layer {
        layer: Layer,
        inner: Box<Node>,
    },
    /// The trace's own bytes.
    Plain,
    /// Nothing that comes is of use.
    Done,
}

/// Takes off all layers.
pub struct Peel {
    node: Node,
    problems: Vec<Problem>,
    /// Bytes that came out, and how many may.
    out: u64,
    most: u64,
}

impl Peel {
    /// For bytes that begin with any layer or none.
    pub fn new() -> Peel {
        Peel::nested(DEPTH)
    }

    pub(crate) fn nested(depth: u8) -> Peel {
        Peel::of(Node::deciding(depth))
    }

    /// For bytes without layers.
    pub fn plain() -> Peel {
        Peel {
            most: u64::MAX,
            ..Peel::of(Node::Plain)
        }
    }

    /// For bytes of which the outermost layer is known.
    pub(crate) fn within(layer: Layer) -> Peel {
        Peel::of(Node::Layer {
            layer,
            inner: Box::new(Node::deciding(DEPTH)),
        })
    }

    fn of(node: Node) -> Peel {
        Peel {
            node,
            problems: Vec::new(),
            out: 0,
            most: MOST,
        }
    }

    /// Lets any number of bytes come out: for what holds none of them.
    #[must_use]
    pub fn unbounded(self) -> Peel {
        Peel { most: u64::MAX, ..self }
    }

    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8], take: Take<'_>) {
        self.run(take, |node, take, problems| node.push(bytes, take, problems));
    }

    /// No more bytes come; returns what was wrong.
    pub fn finish(&mut self, take: Take<'_>) -> Vec<Problem> {
        self.run(take, |node, take, problems| node.finish(take, problems));
        if self.is_full() {
            self.problems = vec![Problem {
                kind: DiagnosticKind::Truncated,
                text: "more than 1 GiB is packed in the file; what follows is not read".to_owned(),
            }];
        }
        std::mem::take(&mut self.problems)
    }

    fn run(&mut self, take: Take<'_>, step: impl FnOnce(&mut Node, Take<'_>, &mut Vec<Problem>)) {
        let Peel {
            node,
            problems,
            out,
            most,
        } = self;
        let mut bounded = |bytes: &[u8]| {
            let room = usize::try_from(*most - *out).unwrap_or(usize::MAX);
            let bytes = bytes.get(..room).unwrap_or(bytes);
            *out += bytes.len() as u64;
            take(bytes);
        };
        step(node, &mut bounded, problems);
    }

    /// As many bytes came out as may.
    fn is_full(&self) -> bool {
        self.most <= self.out
    }

    /// Whether nothing more will come out, whatever is pushed.
    pub fn is_done(&self) -> bool {
        self.is_full() || matches!(self.node, Node::Done)
    }

    /// What the layers are, from the outermost, as far as their first bytes have come.
    pub fn layers(&self) -> Vec<&'static str> {
        let mut found = Vec::new();
        let mut node = &self.node;
        while let Node::Layer { layer, inner } = node {
            found.push(layer.what);
            node = inner;
        }
        found
    }
}

impl Default for Peel {
    fn default() -> Self {
        Peel::new()
    }
}

impl Node {
    fn deciding(depth: u8) -> Node {
        match depth {
            0 => Node::Plain,
            _ => Node::Deciding {
                head: Vec::new(),
                depth,
            },
        }
    }

    fn push(&mut self, bytes: &[u8], take: Take<'_>, problems: &mut Vec<Problem>) {
        match self {
            Node::Plain => take(bytes),
            Node::Done => {}
            Node::Deciding { head, .. } => {
                head.extend_from_slice(bytes);
                if LAYER_HEAD <= head.len() {
                    self.decide(take, problems);
                }
            }
            Node::Layer { layer, inner } => {
                let result = layer.decode.push(bytes, &mut |out| inner.push(out, take, problems));
                if let Err(broken) = result {
                    problems.push(problem(layer.what, broken));
                    // What came until then counts.
                    inner.finish(take, problems);
                    *self = Node::Done;
                }
            }
        }
    }

    fn finish(&mut self, take: Take<'_>, problems: &mut Vec<Problem>) {
        if let Node::Deciding { .. } = self {
            self.decide(take, problems);
        }
        if let Node::Layer { layer, inner } = self {
            let result = layer.decode.finish(&mut |out| inner.push(out, take, problems));
            if let Err(broken) = result {
                problems.push(problem(layer.what, broken));
            }
            if let Some(text) = layer.decode.left_out() {
                problems.push(Problem {
                    kind: DiagnosticKind::Unsupported,
                    text: text.to_owned(),
                });
            }
            inner.finish(take, problems);
        }
    }

    /// The first bytes are there.
    fn decide(&mut self, take: Take<'_>, problems: &mut Vec<Problem>) {
        let Node::Deciding { head, depth } = std::mem::replace(self, Node::Plain) else {
            return;
        };
        if let Some(layer) = layer_of(&head, depth) {
            *self = Node::Layer {
                layer,
                inner: Box::new(Node::deciding(depth - 1)),
            };
        }
        self.push(&head, take, problems);
    }
}

fn problem(what: &str, broken: Broken) -> Problem {
    let (kind, text) = match broken {
        Broken::Damaged => (
            DiagnosticKind::Malformed,
            "is damaged; what follows the damage is not read",
        ),
        Broken::Short => (
            DiagnosticKind::Truncated,
            "ends early; what is missing is not in the file",
        ),
        Broken::Sum => (
            DiagnosticKind::Malformed,
            "has another check sum than its archive says: some of its bytes are wrong",
        ),
    };
    Problem {
        kind,
        text: format!("the {what} {text}"),
    }
}
