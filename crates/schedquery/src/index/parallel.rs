//! Work on many items at once, where the machine has several processors and the platform has threads.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

/// What `each` makes of every item, in their order. Each thread has a `scratch` of its own.
pub(crate) fn map<'a, T: Sync, S, R: Send>(
    items: &'a [T],
    scratch: impl Fn() -> S + Sync,
    each: impl Fn(&mut S, &'a T) -> R + Sync,
) -> Vec<R> {
    // Wasm without threads says that it cannot tell.
    let threads = available_parallelism().map_or(1, NonZeroUsize::get).min(items.len());
    // Neighbours are often alike, so that every thread gets its share of the long ones.
    let of_thread = |thread: usize| -> Vec<R> {
        let mut scratch = scratch();
        let mine = items.iter().skip(thread).step_by(threads.max(1));
        mine.map(|item| each(&mut scratch, item)).collect()
    };
    if threads < 2 {
        return of_thread(0);
    }
    let mut parts: Vec<std::vec::IntoIter<R>> = std::thread::scope(|scope| {
        let of_thread = &of_thread;
        let others: Vec<_> = (1..threads)
            .map(|thread| scope.spawn(move || of_thread(thread)))
            .collect();
        let first = of_thread(0);
        // A thread that panicked has ended the program, or its panic goes on here.
        let others = others.into_iter().map(|thread| match thread.join() {
            Ok(part) => part,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        std::iter::once(first).chain(others).map(Vec::into_iter).collect()
    });
    let in_order = (0..items.len()).map(|index| parts.get_mut(index % threads).and_then(Iterator::next));
    in_order.flatten().collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn keeps_the_order_and_uses_a_scratch_for_many() {
        for len in [0_usize, 1, 2, 3, 100] {
            let items: Vec<usize> = (0..len).collect();
            let made = super::map(
                &items,
                || 0,
                |count: &mut usize, &item| {
                    *count += 1;
                    (item * item, *count)
                },
            );
            let squares: Vec<usize> = made.iter().map(|&(square, _)| square).collect();
            assert_eq!(squares, items.iter().map(|item| item * item).collect::<Vec<_>>());
            assert!(made.iter().enumerate().all(|(index, &(_, count))| count <= index + 1));
        }
    }
}
