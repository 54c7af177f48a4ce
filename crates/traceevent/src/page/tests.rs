//! Pages assembled by hand, with a comment for each field.

use super::*;

const HEADER_64: &str = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\
    \tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n\
    \tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n\
    \tfield: char data;\toffset:16;\tsize:48;\tsigned:1;\n";

const HEADER_32: &str = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\
    \tfield: local_t commit;\toffset:8;\tsize:4;\tsigned:1;\n\
    \tfield: char data;\toffset:12;\tsize:52;\tsigned:1;\n";

/// Words in the page's byte order behind a header of `ts` and `commit`, in a 64-bit kernel's page.
fn page64(endian: Endian, ts: u64, commit: u64, words: &[u32]) -> Vec<u8> {
    let mut page = Vec::new();
    let bytes64 = |n: u64| {
        if endian == Endian::Big {
            n.to_be_bytes()
        } else {
            n.to_le_bytes()
        }
    };
    let bytes32 = |n: u32| {
        if endian == Endian::Big {
            n.to_be_bytes()
        } else {
            n.to_le_bytes()
        }
    };
    page.extend(bytes64(ts)); // timestamp
    page.extend(bytes64(commit)); // commit
    page.extend(words.iter().flat_map(|&word| bytes32(word)));
    page.resize(64, 0);
    page
}

fn header(endian: Endian, type_len: u32, delta: u32) -> u32 {
    match endian {
        Endian::Little => type_len | delta << 5,
        Endian::Big => type_len << 27 | delta,
    }
}

type Found = Vec<(u64, Vec<u8>)>;

fn records(layout: &PageLayout, page: &[u8]) -> (PageHeader, Found, Option<PageDamage>) {
    let (header, records) = layout.open(page).unwrap();
    let mut found = Vec::new();
    let mut damage = None;
    for record in records {
        match record {
            Ok(record) => found.push((record.timestamp, record.data.to_vec())),
            Err(error) => damage = Some(error),
        }
    }
    (header, found, damage)
}

#[test]
fn every_record_type_is_walked() {
    for endian in [Endian::Little, Endian::Big] {
        let layout = PageLayout::parse(HEADER_64, endian).unwrap();
        assert_eq!((layout.page_size(), layout.long_size()), (64, 8));
        let words = [
            header(endian, 1, 5), // data of 4 bytes, 5 later
            0x11223344,
            header(endian, TYPE_TIME_EXTEND, 1), // 1 + (2 << 27) later
            2,
            header(endian, TYPE_PADDING, 7), // discarded, 7 later: skip 4 bytes
            4,
            header(endian, 0, 10), // 10 later, array[0] says 4 + 6 bytes of data, aligned to 12
            10,
            0x01020304,
            0x05060708,
            header(endian, TYPE_PADDING, 0), // nothing more
            0xdeadbeef,
        ];
        let page = page64(endian, 1000, words.len() as u64 * 4, &words);
        let (page_header, found, damage) = records(&layout, &page);
        assert_eq!(page_header.timestamp, 1000);
        assert_eq!(page_header.missed, None);
        assert_eq!(damage, None);
        let later = 1005 + 1 + (2 << 27) + 7 + 10;
        let (first, second) = match endian {
            Endian::Little => (vec![0x44, 0x33, 0x22, 0x11], vec![4, 3, 2, 1, 8, 7]),
            Endian::Big => (vec![0x11, 0x22, 0x33, 0x44], vec![1, 2, 3, 4, 5, 6]),
        };
        assert_eq!(found, vec![(1005, first), (later, second)]);
    }
}

#[test]
fn absolute_stamps_keep_the_high_bits() {
    let endian = Endian::Little;
    let layout = PageLayout::parse(HEADER_64, endian).unwrap();
    let high = 1 << 60;
    let words = [
        header(endian, TYPE_TIME_STAMP, 3), // 3 + (8 << 27) in the low 59 bits
        8,
        header(endian, 1, 1),
        0,
    ];
    let page = page64(endian, high + 100, 16, &words);
    let (_, found, _) = records(&layout, &page);
    assert_eq!(found[0].0, high + 3 + (8 << 27) + 1);
    // the low 59 bits wrapped since the time before
    assert_eq!(extend_stamp(5, high + 6), high + (1 << 59) + 5);
    assert_eq!(extend_stamp(5, 6), 5);
}

#[test]
fn missed_events_are_counted_where_stored() {
    let endian = Endian::Little;
    let layout = PageLayout::parse(HEADER_64, endian).unwrap();
    let words = [header(endian, 1, 0), 0, 42, 0];
    let missed = |commit| records(&layout, &page64(endian, 0, commit, &words)).0.missed;
    assert_eq!(missed(8), None);
    assert_eq!(missed(8 | MISSED_EVENTS), Some(Missed::Unknown));
    assert_eq!(missed(8 | MISSED_EVENTS | MISSED_STORED), Some(Missed::Count(42)));

    // 32-bit kernel: timestamp, 32-bit commit, then data at 12; the count is 32 bits too
    let layout = PageLayout::parse(HEADER_32, endian).unwrap();
    let mut page = 7u64.to_le_bytes().to_vec();
    page.extend((8 | (MISSED_EVENTS | MISSED_STORED) as u32).to_le_bytes());
    page.extend([header(endian, 1, 1), 0, 9].iter().flat_map(|word| word.to_le_bytes()));
    let (page_header, found, _) = records(&layout, &page);
    assert_eq!(page_header.missed, Some(Missed::Count(9)));
    assert_eq!(page_header.commit, 8);
    assert_eq!(found, vec![(8, vec![0; 4])]);
}

#[test]
fn damage_ends_the_page_and_says_where() {
    let endian = Endian::Little;
    let layout = PageLayout::parse(HEADER_64, endian).unwrap();
    // a record of 8 bytes in a page that commits 8 in all
    let words = [header(endian, 2, 0), 0, 0];
    let (_, found, damage) = records(&layout, &page64(endian, 0, 8, &words));
    assert!(found.is_empty());
    let damage = damage.unwrap();
    assert_eq!(
        damage.to_string(),
        "record at byte 16 of the page: 12 bytes needed, 8 left"
    );

    // a length that wraps 32 bits
    let words = [header(endian, 0, 0), u32::MAX, 0];
    assert_eq!(
        records(&layout, &page64(endian, 0, 12, &words)).2.unwrap().what,
        "record"
    );
    let words = [header(endian, TYPE_PADDING, 1), u32::MAX, 0];
    assert_eq!(
        records(&layout, &page64(endian, 0, 12, &words)).2.unwrap().what,
        "discarded record"
    );

    // a page cut in its second record
    let words = [header(endian, 1, 0), 0, header(endian, 1, 0), 0];
    let page = page64(endian, 0, 16, &words);
    let (_, found, damage) = records(&layout, &page[..28]);
    assert_eq!(found.len(), 1);
    assert_eq!(damage.unwrap().what, "record");
    // and cut between two
    let (_, found, damage) = records(&layout, &page[..24]);
    assert_eq!(found.len(), 1);
    assert_eq!(damage.unwrap().what, "committed data");

    assert_eq!(layout.open(&page[..12]).unwrap_err().what, "page header");
}

#[test]
fn a_header_page_without_commit_is_refused() {
    let error = PageLayout::parse("\tfield: u64 timestamp;\toffset:0;\tsize:8;\n", Endian::Little).unwrap_err();
    assert_eq!(error.to_string(), "no `field: local_t commit` line");
}
