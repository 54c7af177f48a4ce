//! Results that are made when they are first needed: in steps if other work is waiting.

use std::sync::{Mutex, OnceLock, PoisonError};

/// A result and its builder.
#[derive(Debug)]
pub struct OnDemand<T, B> {
    made: OnceLock<T>,
    making: Mutex<Option<B>>,
}

impl<T, B> Default for OnDemand<T, B> {
    fn default() -> Self {
        OnDemand {
            made: OnceLock::new(),
            making: Mutex::new(None),
        }
    }
}

/// A result that was made before.
impl<T, B> From<T> for OnDemand<T, B> {
    fn from(made: T) -> Self {
        OnDemand {
            made: made.into(),
            making: Mutex::new(None),
        }
    }
}

impl<T, B> OnDemand<T, B> {
    /// Does some of the work; true once finished.
    pub fn step(&self, begin: impl FnOnce() -> B, step: impl FnOnce(&mut B) -> Option<T>) -> bool {
        if self.made.get().is_some() {
            return true;
        }
        // A panic leaves a valid, if incomplete, value.
        let mut making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(made) = step(making.get_or_insert_with(begin)) else {
            return false;
        };
        *making = None;
        self.made.get_or_init(|| made);
        true
    }

    /// The result, if it is made.
    pub fn made(&self) -> Option<&T> {
        self.made.get()
    }

    /// The result; whoever needs it at once makes it at once, whatever steps have made of it.
    pub fn get_or_make(&self, begin: impl FnOnce() -> B, mut step: impl FnMut(&mut B) -> Option<T>) -> &T {
        self.made.get_or_init(|| {
            let mut builder = begin();
            loop {
                if let Some(made) = step(&mut builder) {
                    return made;
                }
            }
        })
    }
}

impl<T: Default, B> OnDemand<T, B> {
    /// The result, for those who know that it is made.
    pub fn get_or_default(&self) -> &T {
        self.made.get_or_init(T::default)
    }
}
