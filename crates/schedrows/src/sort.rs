//! A sort whose code is there once, whatever it sorts.

/// Sorts items by keys of two numbers, the first of which counts more; items with the same key stay in order.
///
/// For short lists, or seldom: each kind of items and keys that the standard library sorts is five to fifteen kilobytes of code, which
/// every first visit of the page fetches. `items` are fewer than 2^32.
pub fn sort_by_keys<T>(items: &mut [T], key: impl Fn(&T) -> [u64; 2]) {
    if items.len() < 2 {
        return;
    }
    let mut from = sorted(items.iter().map(key).zip(0..).collect());
    // Along each cycle of places: what belongs to a place comes from the next one.
    for first in 0..items.len() {
        let mut at = first;
        while let Some(next) = from.get_mut(at).map(|next| std::mem::replace(next, at as u32) as usize) {
            if next == first || next == at {
                break;
            }
            items.swap(at, next);
            at = next;
        }
    }
}

/// The numbers behind keys, in the keys' order.
#[inline(never)]
fn sorted(mut keys: Vec<([u64; 2], u32)>) -> Vec<u32> {
    keys.sort_unstable();
    keys.into_iter().map(|(_, number)| number).collect()
}

#[cfg(test)]
mod tests {
    use super::sort_by_keys;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equals_a_stable_sort(keys in prop::collection::vec((0_u64..4, 0_u64..4), 0..60)) {
            let mut items: Vec<(u64, u64, usize)> = keys.iter().zip(0..).map(|(&(a, b), number)| (a, b, number)).collect();
            let mut expected = items.clone();
            sort_by_keys(&mut items, |&(a, b, _)| [a, b]);
            expected.sort_by_key(|&(a, b, _)| (a, b));
            prop_assert_eq!(items, expected);
        }
    }
}
