//! The list of a trace's events: any rows of it at once, filters and searches step by step.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

use eventfilter::Places;
use traceevent::IntField;

use super::counters::{event_numbers, Counter};
use super::filtered::FilteredRows;
use super::hits::Hits;
use super::lines::{Lines, WholeLines};
use super::matcher::Matcher;
use super::pairs::Pairs;
use super::query::{
    EnteredCall, EventField, EventFilterError, EventName, EventProgress, EventRow, EventSelection, EventTextMode,
    EventsAnswer, EventsQuery, Lost, MAX_CALLS, MAX_LINES,
};
use super::search::{Found, Search};
use crate::arguments::{Arguments, Entered};
use crate::error::ReadError;
use crate::file::{ReadAt, TraceFile};
use crate::filter::{bind, Filter};
use crate::records::{IndexedRecords, Reads, RecordRef, Row, RowOrder};
use crate::scan::RecordIndex;

/// Lists whose rows are kept: the current one, and some to come back to.
const KEPT_LISTS: usize = 4;

/// The events of a trace in merged order.
pub struct EventList<'f, R: ReadAt> {
    pub(super) rows: Rows<'f, R>,
    pub(super) lines: Lines<'f, R>,
    names: Vec<EventName>,
    ids: Vec<u16>,
    /// The list that was asked for last comes last.
    pub(super) lists: Vec<List>,
    /// The list that rows were asked of last.
    pub(super) shown: Option<EventSelection>,
    /// The search that was asked for last, with the query.
    pub(super) search: Option<(EventsQuery, Search)>,
    pairs: Option<Pairs<'f, R>>,
    /// Those that were asked for last come last.
    pub(super) hits: Vec<Hits>,
    /// Likewise.
    pub(super) counters: Vec<Counter>,
    arguments: Option<Arguments>,
}

/// Records by row.
pub(super) struct Rows<'f, R: ReadAt> {
    pub file: &'f TraceFile<R>,
    pub base_ns: u64,
    pub order: RowOrder,
    /// CPUs' numbers by stream.
    pub cpus: Vec<u32>,
    /// Where tasks ran, if that was told.
    pub places: Arc<Places>,
    /// By stream: for rows that are looked at, here and there.
    near: Vec<IndexedRecords>,
    /// By stream: for filters and searches, which walk.
    pub far: Vec<IndexedRecords>,
}

impl<R: ReadAt> Rows<'_, R> {
    /// A row's record, to be shown.
    fn near(&mut self, row: Row) -> Result<Option<RecordRef<'_>>, ReadError> {
        match self.near.get_mut(row.stream) {
            Some(records) => records.record(self.file.input(), row.record),
            None => Ok(None),
        }
    }

    /// A row's record, on a walk.
    #[inline]
    pub fn far(&mut self, row: Row) -> Result<Option<RecordRef<'_>>, ReadError> {
        match self.far.get_mut(row.stream) {
            Some(records) => records.record(self.file.input(), row.record),
            None => Ok(None),
        }
    }
}

/// A filtered list, as far as its rows are known.
pub(super) struct List {
    pub of: EventSelection,
    pub filtered: FilteredRows,
}

impl<'f, R: ReadAt> EventList<'f, R> {
    /// From what the scans left of each CPU. `base_ns` is the time of the trace's first record.
    pub fn new(file: &'f TraceFile<R>, base_ns: u64, mut indexes: Vec<RecordIndex>) -> Self {
        // In the file's order of CPUs: that of equally early records.
        let place = |cpu: u32| file.cpus().iter().position(|extent| extent.cpu == cpu);
        indexes.retain(|index| place(index.cpu).is_some());
        indexes.sort_by_key(|index| place(index.cpu));
        let mut counts = BTreeMap::<u16, u64>::new();
        for (id, count) in indexes.iter().flat_map(|index| &index.events) {
            *counts.entry(*id).or_default() += count;
        }
        let order = RowOrder::new(&mut indexes);
        let indexes: Vec<Arc<RecordIndex>> = indexes.into_iter().map(Arc::new).collect();
        let readers = || {
            indexes
                .iter()
                .filter_map(|index| IndexedRecords::new(file, index))
                .collect()
        };
        EventList {
            rows: Rows {
                file,
                base_ns,
                order,
                cpus: indexes.iter().map(|index| index.cpu).collect(),
                places: Arc::default(),
                near: readers(),
                far: readers(),
            },
            names: event_names(file, &counts),
            lines: Lines::new(file, common_pid(file, &counts)),
            ids: counts.into_keys().collect(),
            lists: Vec::new(),
            shown: None,
            search: None,
            pairs: None,
            hits: Vec::new(),
            counters: Vec::new(),
            arguments: None,
        }
    }

    /// Learns names for tasks that the file has no saved command line of; rows are to be asked for after that.
    pub fn learn_names(&mut self, names: HashMap<i32, String>) {
        self.lines.learn_names(names);
    }

    /// Learns where tasks ran, for filters with fields that are derived from that: all is filtered again.
    pub fn learn_places(&mut self, words: &[u32]) {
        self.rows.places = Arc::new(Places::of_words(words, self.rows.base_ns));
        self.hits.clear();
        self.lists.clear();
        self.search = None;
    }

    /// Answers, after looking at no more than some `budget` events; `None` when that is not enough: ask again.
    pub fn ask(&mut self, query: &EventsQuery, budget: usize) -> Result<Option<EventsAnswer>, ReadError> {
        match query {
            EventsQuery::EventRows { of, first, count } => self.rows(of, *first, *count).map(Some),
            EventsQuery::EventRowAt { of, at, cpu } => {
                self.choose(of);
                self.row_at(*at, *cpu, budget)
            }
            EventsQuery::EventSearch { of, .. } => {
                self.choose(of);
                self.search(query, budget)
            }
            EventsQuery::EventLines { of, first, count } => self.whole_lines(of, *first, *count, budget),
            EventsQuery::EventNames => Ok(Some(EventsAnswer::EventNames {
                names: self.names.clone(),
            })),
            EventsQuery::EventFilterCheck { expression } => {
                let bound = Filter::parse(expression).and_then(|filter| bind(self.rows.file, &filter));
                let error = bound.err().map(|error| EventFilterError::of(expression, &error));
                Ok(Some(EventsAnswer::EventFilterCheck { error }))
            }
            EventsQuery::EventHits { expression } => self.hits(expression, budget),
            EventsQuery::EventHitRuns {
                expression,
                place,
                first,
            } => Ok(Some(self.hit_runs(expression, *place, *first))),
            EventsQuery::EventHitAt {
                expression,
                at,
                cpu,
                direction,
            } => self.hit_at(expression, (*at, *cpu), 0 < *direction, budget),
            EventsQuery::EventNumbers => Ok(Some(EventsAnswer::EventNumbers {
                numbers: event_numbers(self.rows.file, &self.ids),
            })),
            EventsQuery::EventCounter { number, by } => self.counter(number, *by, budget),
            EventsQuery::Tile(asked) => Ok(Some(self.tile(asked))),
            EventsQuery::CallArguments { calls } => self.call_arguments(calls).map(Some),
            EventsQuery::Pairs { .. } => {
                let file = (self.rows.file, self.rows.base_ns);
                Pairs::ask(&mut self.pairs, file, query, budget)
            }
            EventsQuery::EventFields => Ok(Some(EventsAnswer::EventFields {
                fields: event_fields(self.rows.file, &self.ids),
            })),
        }
    }

    /// Goes on with the list whose rows were asked for last; looks at some `budget` events.
    pub fn advance(&mut self, budget: usize) -> Result<(), ReadError> {
        let shown = self.lists.iter_mut().find(|list| Some(&list.of) == self.shown.as_ref());
        match shown {
            Some(list) => list.filtered.advance(&mut self.rows, &mut self.lines, budget),
            None => Ok(()),
        }
    }

    /// How far that list is, and how many rows it has so far.
    pub fn progress(&self) -> (EventProgress, usize) {
        let all = self.rows.order.len();
        let shown = self.lists.iter().find(|list| Some(&list.of) == self.shown.as_ref());
        let (done, total) = shown.map_or((all, all), |list| (list.filtered.known(), list.filtered.len()));
        let complete = done == all;
        (EventProgress { done, all, complete }, total)
    }

    /// How far the search is that was asked for last.
    pub fn search_progress(&self) -> EventProgress {
        let (done, all) = match (&self.search, self.lists.last()) {
            (Some((_, search)), Some(list)) => search.progress(&list.filtered),
            _ => (0, 0),
        };
        let complete = self.search.is_none();
        EventProgress { done, all, complete }
    }

    /// What is read next for that list.
    pub fn reads(&self) -> Reads {
        let shown = self.lists.iter().find(|list| Some(&list.of) == self.shown.as_ref());
        shown.map_or_else(Reads::default, |list| list.filtered.reads())
    }

    /// What is read next for the search that was asked for last.
    pub fn search_reads(&self) -> Reads {
        match (&self.search, self.lists.last()) {
            (Some((_, search)), Some(list)) => search.reads(&list.filtered),
            _ => Reads::default(),
        }
    }

    /// How far the walk is that finds the pairs that were asked for last.
    pub fn pairs_progress(&self) -> EventProgress {
        let all = self.rows.order.len();
        match &self.pairs {
            Some(pairs) => pairs.progress(all),
            None => EventProgress {
                done: 0,
                all,
                complete: false,
            },
        }
    }

    /// Makes a list the current one.
    pub(super) fn choose(&mut self, of: &EventSelection) {
        let known = self.lists.iter().position(|list| list.of == *of);
        let list = match known {
            Some(index) => self.lists.remove(index),
            None => List {
                filtered: FilteredRows::new(
                    Matcher::new(
                        &of.filter,
                        self.rows.base_ns,
                        self.rows.file,
                        &self.rows.cpus,
                        self.ids.iter().copied(),
                        &self.rows.places,
                    ),
                    &of.filter.text,
                    of.mode,
                    &self.rows.order,
                ),
                of: of.clone(),
            },
        };
        self.lists.push(list);
        if KEPT_LISTS < self.lists.len() {
            let oldest = self.lists.iter().position(|list| Some(&list.of) != self.shown.as_ref());
            self.lists.remove(oldest.unwrap_or(0));
        }
    }

    fn rows(&mut self, of: &EventSelection, first: usize, count: usize) -> Result<EventsAnswer, ReadError> {
        self.shown = Some(of.clone());
        self.choose(of);
        let (progress, total) = self.progress();
        let mut rows = Vec::new();
        let places: Vec<Row> = match self.lists.last() {
            Some(list) => list.filtered.places(&self.rows.order, first, count),
            None => Vec::new(),
        };
        for (place, row) in places.into_iter().zip(first..) {
            rows.extend(self.row(place, row, of.mode)?);
        }
        Ok(EventsAnswer::EventRows {
            progress,
            total,
            first,
            rows,
        })
    }

    /// What is read from the file to answer a question for rows.
    pub fn row_reads(&mut self, query: &EventsQuery) -> Vec<Range<u64>> {
        let EventsQuery::EventRows { of, first, count } = query else {
            return Vec::new();
        };
        self.choose(of);
        let places = self
            .lists
            .last()
            .map_or_else(Vec::new, |list| list.filtered.places(&self.rows.order, *first, *count));
        let read = |row: &Row| self.rows.near.get(row.stream)?.read_for(row.record);
        places.iter().filter_map(read).collect()
    }

    fn whole_lines(
        &mut self,
        of: &EventSelection,
        first: usize,
        count: usize,
        budget: usize,
    ) -> Result<Option<EventsAnswer>, ReadError> {
        self.choose(of);
        let count = count.min(MAX_LINES);
        let Some(list) = self.lists.last_mut() else {
            return Ok(None);
        };
        let is_known =
            |rows: &FilteredRows, all: usize| rows.known() == all || first.saturating_add(count) <= rows.len();
        if !is_known(&list.filtered, self.rows.order.len()) {
            list.filtered.advance(&mut self.rows, &mut self.lines, budget)?;
            if !is_known(&list.filtered, self.rows.order.len()) {
                return Ok(None);
            }
        }
        let places = list.filtered.places(&self.rows.order, first, count);
        let mut lines = WholeLines::new(self.rows.file, of.mode);
        for place in places {
            if let Some(record) = self.rows.near(place)? {
                lines.push(&record);
            }
        }
        Ok(Some(EventsAnswer::EventLines { text: lines.finish() }))
    }

    pub(super) fn row(&mut self, place: Row, row: usize, mode: EventTextMode) -> Result<Option<EventRow>, ReadError> {
        let base_ns = self.rows.base_ns;
        let record = self.rows.near(place)?;
        Ok(record.map(|record| {
            let pid = self.lines.pid(&record);
            EventRow {
                row,
                cpu: record.cpu,
                record: place.record,
                at: place.ts.saturating_sub(base_ns),
                pid,
                comm: String::from_utf8_lossy(self.lines.comm(pid)).into_owned(),
                event: self.lines.event(record.id).to_owned(),
                text: self.lines.text(mode, &record),
                lost: record.missed.map(Lost),
            }
        }))
    }

    fn row_at(&mut self, at: f64, cpu: Option<u32>, budget: usize) -> Result<Option<EventsAnswer>, ReadError> {
        let Some(list) = self.lists.last_mut() else {
            return Ok(None);
        };
        let wanted = self
            .rows
            .order
            .row_at(self.rows.base_ns.saturating_add(at.max(0.0).ceil() as u64));
        let stream = cpu.map(|cpu| self.rows.cpus.iter().position(|&known| known == cpu));
        let found = match stream {
            // There is no such CPU.
            Some(None) => Some(None),
            Some(Some(stream)) => list
                .filtered
                .first_from(&self.rows.order, wanted, |found| found == stream),
            None => list.filtered.first_from(&self.rows.order, wanted, |_| true),
        };
        if found.is_none() {
            list.filtered.advance(&mut self.rows, &mut self.lines, budget)?;
        }
        Ok(found.map(|row| EventsAnswer::EventRowAt { row }))
    }

    fn call_arguments(&mut self, calls: &[EnteredCall]) -> Result<EventsAnswer, ReadError> {
        let file = self.rows.file;
        let bound = self.arguments.get_or_insert_with(|| Arguments::new(file));
        let mut arguments = Vec::new();
        for call in calls.iter().take(MAX_CALLS) {
            let ts = self.rows.base_ns.saturating_add(call.at.max(0.0) as u64);
            let entered = Entered {
                ts,
                cpu: call.cpu,
                pid: call.pid,
                call: &call.call,
                compat: call.compat,
            };
            let mut found = None;
            let mut cursor = self.rows.order.cursor(self.rows.order.row_at(ts));
            while let Some(row) = cursor
                .next(&self.rows.order)
                .filter(|row| row.ts == ts && found.is_none())
            {
                if self.rows.cpus.get(row.stream) == Some(&call.cpu) {
                    let record = self.rows.near(row)?;
                    found = record.and_then(|record| bound.of(record.id, record.data, &entered));
                }
            }
            arguments.push(found);
        }
        Ok(EventsAnswer::CallArguments { arguments })
    }

    fn search(&mut self, query: &EventsQuery, budget: usize) -> Result<Option<EventsAnswer>, ReadError> {
        let (
            Some(list),
            EventsQuery::EventSearch {
                of,
                text,
                from,
                direction,
            },
        ) = (self.lists.last_mut(), query)
        else {
            return Ok(None);
        };
        let under_way = self.search.take().filter(|(asked, _)| asked == query);
        let search = under_way.map(|(_, search)| search);
        let Some(mut search) = search.or_else(|| Search::new(text, of.mode, *from, *direction)) else {
            return Ok(Some(EventsAnswer::EventSearch { row: None }));
        };
        let row = match search.step(&mut list.filtered, &mut self.rows, &mut self.lines, budget)? {
            Found::Row(row) => Some(row),
            Found::Nothing => None,
            Found::NotYet => {
                self.search = Some((query.clone(), search));
                return Ok(None);
            }
        };
        Ok(Some(EventsAnswer::EventSearch { row }))
    }
}

/// The common field that all formats have in the same place.
fn common_pid<R: ReadAt>(file: &TraceFile<R>, counts: &BTreeMap<u16, u64>) -> Option<IntField> {
    let mut formats = counts.keys().filter_map(|&id| file.event_format(id));
    formats.next()?.field("common_pid")?.as_int()
}

/// The names that an expression may have.
fn event_fields<R: ReadAt>(file: &TraceFile<R>, ids: &[u16]) -> Vec<EventField> {
    let mut counts: BTreeMap<&str, usize> = eventfilter::BUILT_IN
        .into_iter()
        .chain(eventfilter::DERIVED)
        .map(|name| (name, 0))
        .collect();
    let formats = ids.iter().filter_map(|&id| file.event_format(id));
    for field in formats.flat_map(|format| &format.fields) {
        *counts.entry(&field.name).or_default() += 1;
    }
    counts
        .into_iter()
        .map(|(name, events)| EventField {
            name: name.to_owned(),
            events,
        })
        .collect()
}

/// The events that the trace has, by system and name.
fn event_names<R: ReadAt>(file: &TraceFile<R>, counts: &BTreeMap<u16, u64>) -> Vec<EventName> {
    let known = counts
        .iter()
        .filter_map(|(&id, &count)| Some((file.event_name(id)?, count)));
    let mut names: Vec<EventName> = known
        .map(|((system, name), count)| EventName {
            name: name.to_owned(),
            system: system.to_owned(),
            count,
        })
        .collect();
    names.sort_by(|a, b| (&a.system, &a.name).cmp(&(&b.system, &b.name)));
    names
}
