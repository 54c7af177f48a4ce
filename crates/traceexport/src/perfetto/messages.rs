//! Which events have a message of their own.

use std::collections::HashMap;

const TEXT: &str = include_str!("events.txt");

/// Where a value goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FieldNumber {
    pub number: u32,
    pub is_text: bool,
}

/// An event's own message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Message {
    /// Of the message in `FtraceEvent`.
    pub number: u32,
    pub fields: HashMap<&'static str, FieldNumber>,
}

/// The message of the event with that name.
pub(super) fn message(name: &str) -> Option<Message> {
    TEXT.lines().find_map(|line| {
        let mut words = line.split(' ');
        let number = words.next()?.parse().ok()?;
        (words.next() == Some(name)).then(|| Message {
            number,
            fields: words.filter_map(field).collect(),
        })
    })
}

fn field(word: &'static str) -> Option<(&'static str, FieldNumber)> {
    let (name, number) = word.split_once('=')?;
    let digits = number.trim_end_matches('s');
    let number = FieldNumber {
        number: digits.parse().ok()?,
        is_text: digits.len() < number.len(),
    };
    Some((name, number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read() {
        for line in TEXT.lines().filter(|line| !line.starts_with('#')) {
            let words: Vec<&str> = line.split(' ').collect();
            let found = message(words[1]).unwrap();
            assert_eq!(
                (found.number.to_string().as_str(), found.fields.len()),
                (words[0], words.len() - 2)
            );
        }
    }

    #[test]
    fn a_switch_is_as_its_proto_says() {
        let switch = message("sched_switch").unwrap();
        assert_eq!(switch.number, 4);
        let next_comm = FieldNumber {
            number: 5,
            is_text: true,
        };
        assert_eq!(switch.fields["next_comm"], next_comm);
        assert!(message("sched_stat_runtime").is_none() && message("sched").is_none());
    }
}
