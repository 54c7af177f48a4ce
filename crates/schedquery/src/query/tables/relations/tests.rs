use super::column::Get;
use super::*;
use std::collections::BTreeSet;

#[test]
fn columns_have_names_of_their_own_in_snake_case() {
    let page = [
        TASK_COLUMNS.map(|field| field.column()).to_vec(),
        CPU_COLUMNS.map(|field| field.column()).to_vec(),
    ];
    for columns in Relation::ALL.map(Relation::columns).into_iter().chain(page) {
        let names: BTreeSet<&str> = columns.iter().map(|column| column.name).collect();
        assert_eq!(names.len(), columns.len());
        for Column { name, kind, doc, .. } in columns {
            assert!(
                name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_'),
                "{name}"
            );
            assert_eq!(name.ends_with("_ns"), kind.unit() == Some("ns"), "{name}");
            assert!(!doc.is_empty(), "{name}");
        }
    }
}

#[test]
fn the_pages_tables_are_numbers() {
    let numbers = |column: Column| !column.optional && matches!(column.kind, Kind::Int | Kind::Duration);
    assert!(TASK_COLUMNS.iter().all(|field| numbers(field.column())));
    assert!(CPU_COLUMNS.iter().all(|field| numbers(field.column())));
}

/// A row for the tests of batches.
type Named = (Option<&'static str>, u64);

const FIELDS: [Field<Named>; 3] = [
    Field::optional("name", "Name", Get::Text(|row| row.0.map(Into::into))),
    Field::new("length_ns", "Length", Get::Duration(|row| Some(row.1))),
    Field::new("even", "Whether it is even", Get::Bool(|row| Some(row.1 % 2 == 0))),
];

#[test]
fn batches_have_all_rows_in_order_and_little_room() {
    for count in [0, 1, ROWS, ROWS + 1, 3 * ROWS] {
        let rows = (0..count).map(|row| (["a", "", "ccc"].get(row % 4).copied(), row as u64));
        let mut told = Vec::new();
        let mut each = |batch: &Batch| {
            assert!(!batch.is_empty() && batch.len() <= ROWS);
            told.extend(batch.rows().map(|row| serde_json::to_string(&row).unwrap()));
            Ok::<(), ()>(())
        };
        Batches::new(&FIELDS, &mut each).all(rows.clone()).unwrap();
        let expected = rows.map(|(name, length)| {
            let name = name.map_or("null".to_owned(), |name| format!("\"{name}\""));
            format!(r#"{{"name":{name},"length_ns":{length},"even":{}}}"#, length % 2 == 0)
        });
        assert_eq!(told, expected.collect::<Vec<_>>());
    }
}

#[test]
fn a_failure_ends_the_batches() {
    let mut calls = 0;
    let mut each = |_: &Batch| {
        calls += 1;
        Err(calls)
    };
    let rows = (0..5 * ROWS).map(|row| (None, row as u64));
    assert_eq!(Batches::new(&FIELDS, &mut each).all(rows), Err(1));
}
