//! A map from pids to indexes, as pages of an array: pids are dense in practice, but damage can produce any.

const PAGE_BITS: u32 = 10;
const PAGE: usize = 1 << PAGE_BITS;
const NONE: u32 = u32::MAX;

/// A map from pids to the index of their current task.
#[derive(Debug, Default)]
pub(crate) struct PidMap {
    pages: Vec<Option<Box<[u32; PAGE]>>>,
}

impl PidMap {
    /// The index of `pid`, if it has one.
    #[inline]
    pub(crate) fn get(&self, pid: i32) -> Option<u32> {
        let (page, slot) = split(pid);
        let index = *self.pages.get(page)?.as_ref()?.get(slot)?;
        (index != NONE).then_some(index)
    }

    /// Gives `pid` an index.
    pub(crate) fn set(&mut self, pid: i32, index: u32) {
        let (page, slot) = split(pid);
        if self.pages.len() <= page {
            self.pages.resize_with(page + 1, || None);
        }
        if let Some(page) = self.pages.get_mut(page) {
            let page = page.get_or_insert_with(|| Box::new([NONE; PAGE]));
            if let Some(of_pid) = page.get_mut(slot) {
                *of_pid = index;
            }
        }
    }
}

fn split(pid: i32) -> (usize, usize) {
    // Negative pids do not exist; damage that names one gets a page of its own at the far end.
    let pid = pid as u32;
    ((pid >> PAGE_BITS) as usize, pid as usize & (PAGE - 1))
}
