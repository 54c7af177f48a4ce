//! Names that someone may have meant.

/// The most names that are offered.
const MOST: usize = 3;

/// The names nearest to a wrong one, the nearest first: those that differ in at most a third of its
/// letters, or in two.
pub fn closest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let most = match wrong.chars().count() {
        0..=3 => 1,
        length => (length / 3).max(2),
    };
    let mut found: Vec<(usize, &str)> = names
        .into_iter()
        .filter(|name| name.len().abs_diff(wrong.len()) <= most.saturating_mul(4))
        .map(|name| (distance(wrong, name), name))
        .filter(|&(distance, _)| distance <= most)
        .collect();
    found.sort_unstable();
    found.dedup();
    found.into_iter().take(MOST).map(|(_, name)| name).collect()
}

/// `; the closest are …`, or nothing where nothing is close.
pub fn hint<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let near = closest(wrong, names);
    match near.as_slice() {
        [] => String::new(),
        [one] => format!("; the closest is {one}"),
        several => format!("; the closest are {}", several.join(", ")),
    }
}

/// Levenshtein's distance: how many letters are to be put in, left out or replaced. Case counts as nothing.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().map(|c| c.to_ascii_lowercase()).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (index, a) in a.chars().map(|c| c.to_ascii_lowercase()).enumerate() {
        let mut left = index + 1;
        let mut diagonal = index;
        for (above, b) in row.iter_mut().skip(1).zip(&b) {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = *above;
            left = replaced.min(*above + 1).min(left + 1);
            *above = left;
        }
        if let Some(first) = row.first_mut() {
            *first = index + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_comes_first() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", ""), 3);
        let names = ["prev_prio", "next_prio", "next_pid", "vec"];
        assert_eq!(closest("next_pro", names), ["next_prio", "next_pid"]);
        assert!(closest("nothing_like_it", names).is_empty());
    }
}
