//! The TypeScript types of what crosses between the page and the engine are written from the Rust types, and checked in.
//!
//! `npm run types:write` writes them again.

use std::any::TypeId;
use std::collections::{BTreeMap, HashSet};

use fileask::{FileAnswer, FileQuestion};
use schedfigure::{FigureFacts, Request};
use schedquery::ask::calls::{CallsAnswer, CallsQuestion};
use schedquery::ask::studies::{StudyAnswer, StudyQuestion};
use schedquery::ask::{Answer, Question};
use schedquery::query::relations::{Field, CPU_COLUMNS, TASK_COLUMNS};
use schedquery::query::{IntervalAnswer, RunDetails, Summary};
use staktau::Profile;
use tracecore::source::error::EngineError;
use tracecore::source::Description;
use tracedat::events::{EventProgress, EventsAnswer, EventsQuery};
use ts_rs::{Config, TypeVisitor, TS};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/engine/protocol/generated.ts");

const HEAD: &str = "\
/**
 * What crosses between the page and the engine, written from the Rust types by `crates/it/tests/it/contract.rs`:
 * change those, not this file. Times are ns since the trace's first event, durations are ns.
 */
import type { Ns, TimeWindow } from '../../base/units';

/** The interval of a CPU at an instant; what is said of a run is there for runs only, and while a trace loads no more than its name. */
export type Interval = IntervalFrame & Partial<RunDetails>;
";

/// The declarations by name.
struct Declarations {
    config: Config,
    seen: HashSet<TypeId>,
    found: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        let name = T::name(&self.config);
        let is_given = ["Ns", "TimeWindow"].contains(&name.as_str()) || name.contains('<');
        if T::output_path().is_some() && !is_given {
            let docs = T::docs().unwrap_or_default();
            let declaration = format!("{docs}export {}", T::decl(&self.config));
            self.found.insert(name, tidy(&declaration));
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

fn generated() -> String {
    let mut all = Declarations {
        config: Config::new().with_large_int("number"),
        seen: HashSet::new(),
        found: BTreeMap::new(),
    };
    all.visit::<Question>();
    all.visit::<Answer>();
    all.visit::<CallsQuestion>();
    all.visit::<CallsAnswer>();
    all.visit::<Profile>();
    all.visit::<FileQuestion>();
    all.visit::<FileAnswer>();
    all.visit::<StudyQuestion>();
    all.visit::<StudyAnswer>();
    all.visit::<Request>();
    all.visit::<FigureFacts>();
    all.visit::<EventsQuery>();
    all.visit::<EventsAnswer>();
    all.visit::<EventProgress>();
    all.visit::<Summary>();
    all.visit::<IntervalAnswer>();
    all.visit::<RunDetails>();
    all.visit::<Description>();
    all.visit::<EngineError<'static>>();
    let declarations: Vec<String> = all.found.into_values().collect();
    let tables = [
        columns("TASK_COLUMNS", "The numbers of a task in a window", &TASK_COLUMNS),
        columns("CPU_COLUMNS", "The numbers of a CPU in a window", &CPU_COLUMNS),
    ];
    format!("{HEAD}\n{}\n\n{}\n", declarations.join("\n\n"), tables.join("\n\n"))
}

/// The names of a table's columns, in the order of a row's numbers.
fn columns<R>(name: &str, doc: &str, fields: &[Field<R>]) -> String {
    let lines = fields.iter().map(|field| {
        let column = field.column();
        format!("  /** {}. */\n  '{}',\n", column.doc, column.name)
    });
    let lines: String = lines.collect();
    format!("/** {doc}. */\nexport const {name} = [\n{lines}] as const;")
}

/// A declaration with one property on each line, comments on one line where they fit, and everything read-only.
fn tidy(declaration: &str) -> String {
    let mut out = String::new();
    let (mut braces, mut brackets) = (0_usize, 0_usize);
    // What follows is a property, perhaps after its comment.
    let mut property = false;
    let mut rest = declaration;
    while let Some(next) = rest.chars().next() {
        if let Some(comment) = rest.strip_prefix("/**") {
            let (text, after) = comment.split_once("*/").expect("a comment that ends");
            let lines: Vec<&str> = text
                .lines()
                .map(|line| line.trim().trim_start_matches('*').trim())
                .collect();
            let lines: Vec<&str> = lines.into_iter().filter(|line| !line.is_empty()).collect();
            new_line(&mut out, braces);
            match lines.as_slice() {
                [line] => out.push_str(&format!("/** {line} */")),
                lines => {
                    out.push_str("/**");
                    for line in lines {
                        new_line(&mut out, braces);
                        out.push_str(&format!(" * {line}"));
                    }
                    new_line(&mut out, braces);
                    out.push_str(" */");
                }
            }
            if braces == 0 {
                out.push('\n');
            }
            rest = after.trim_start();
            continue;
        }
        if property && next != '}' {
            let (name, after) = rest.split_once(':').expect("a property's type");
            new_line(&mut out, braces);
            out.push_str(&format!("readonly {}: ", name.trim().trim_matches('"')));
            (rest, property) = (after.trim_start(), false);
            continue;
        }
        rest = &rest[next.len_utf8()..];
        match next {
            '{' => {
                out.push('{');
                braces += 1;
                (rest, property) = (rest.trim_start(), true);
            }
            '}' => {
                braces -= 1;
                if !property {
                    out.push(';');
                }
                new_line(&mut out, braces);
                out.push('}');
                property = false;
            }
            ',' if braces != 0 && brackets == 0 => {
                out.push(';');
                (rest, property) = (rest.trim_start(), true);
            }
            '<' | '[' => {
                brackets += 1;
                out.push(next);
            }
            '>' | ']' => {
                brackets -= 1;
                out.push(next);
            }
            _ => out.push(next),
        }
    }
    let out = out.replace("Array<", "ReadonlyArray<");
    let out = out
        .replace("32ReadonlyArray<", "32Array<")
        .replace("64ReadonlyArray<", "64Array<");
    out.lines()
        .map(str::trim_end)
        .collect::<Vec<_>>()
        .join("\n")
        .trim_start()
        .to_owned()
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

#[test]
fn the_types_of_the_page_are_those_of_the_engine() {
    let now = generated();
    if std::env::var_os("CORELANE_WRITE_TYPES").is_some() {
        std::fs::write(FILE, &now).expect("the file of types");
    }
    let kept = std::fs::read_to_string(FILE).unwrap_or_default();
    assert_eq!(
        meaning(&kept),
        meaning(&now),
        "the types have changed: write them again as this file says"
    );
}

/// A file's text without anything that a formatter may change.
fn meaning(text: &str) -> String {
    let text: String = text
        .chars()
        .filter(|c| !c.is_whitespace() && !";,()\"'".contains(*c))
        .collect();
    text.replace("=|", "=").replace("&|", "&")
}
