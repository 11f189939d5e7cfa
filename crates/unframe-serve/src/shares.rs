//! Something of which there is so much for all, and so much for one client, so that nobody takes everything.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::caller::Client;
use crate::service::lock;

/// What is shared.
#[derive(Debug)]
pub(crate) struct Shares {
    all: usize,
    of_one: usize,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    all: usize,
    /// Only of clients that have something, so that it does not grow with their number.
    of: HashMap<Client, usize>,
}

/// What a client has of it, until it is dropped.
#[derive(Debug)]
pub(crate) struct Share {
    shares: Arc<Shares>,
    client: Client,
    amount: usize,
}

impl Shares {
    pub(crate) fn new(all: usize, of_one: usize) -> Arc<Shares> {
        Arc::new(Shares { all, of_one, taken: Mutex::default() })
    }

    /// So much for a client, if there is as much left.
    pub(crate) fn take(self: &Arc<Shares>, client: &Client, amount: usize) -> Option<Share> {
        let mut share = Share { shares: Arc::clone(self), client: client.clone(), amount: 0 };
        share.grow(amount).then_some(share)
    }
}

impl Share {
    /// Takes more; whether there was as much left.
    pub(crate) fn grow(&mut self, more: usize) -> bool {
        let mut taken = lock(&self.shares.taken);
        let before = taken.of.get(&self.client).copied().unwrap_or(0);
        let is_room = taken.all.saturating_add(more) <= self.shares.all
            && before.saturating_add(more) <= self.shares.of_one;
        if is_room && more > 0 {
            taken.all += more;
            taken.of.insert(self.client.clone(), before + more);
            self.amount += more;
        }
        is_room
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        if self.amount == 0 {
            return;
        }
        let mut taken = lock(&self.shares.taken);
        taken.all -= self.amount;
        if let Some(of_client) = taken.of.get_mut(&self.client) {
            *of_client -= self.amount;
            if *of_client == 0 {
                taken.of.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_client_leaves_something_for_others() {
        let shares = Shares::new(5, 3);
        let (one, other) = (Client::Key("one".into()), Client::Key("other".into()));
        let mut first = shares.take(&one, 2).unwrap();
        assert!(shares.take(&one, 2).is_none());
        assert!(first.grow(1) && !first.grow(1));
        // Others have the rest.
        let second = shares.take(&other, 2).unwrap();
        assert!(shares.take(&other, 1).is_none());
        drop((first, second));
        assert!(lock(&shares.taken).of.is_empty());
        assert!(shares.take(&other, 3).is_some());
    }
}
