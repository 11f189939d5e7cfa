//! A quota with a limit for all clients together and a limit per client.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::caller::Client;
use crate::service::lock;

/// The quota.
#[derive(Debug)]
pub(crate) struct Quota {
    all: usize,
    of_one: usize,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    all: usize,
    /// The shares of clients. Clients without a share have no entry, so that the map stays small.
    of: HashMap<Client, usize>,
}

/// The share of a client, released when it is dropped.
#[derive(Debug)]
pub(crate) struct QuotaShare {
    quota: Arc<Quota>,
    client: Client,
    amount: usize,
}

impl Quota {
    pub(crate) fn new(all: usize, of_one: usize) -> Arc<Quota> {
        Arc::new(Quota { all, of_one, taken: Mutex::default() })
    }

    /// Takes a share of this amount for a client, if that much is left.
    pub(crate) fn take(self: &Arc<Quota>, client: &Client, amount: usize) -> Option<QuotaShare> {
        let mut share = QuotaShare { quota: Arc::clone(self), client: client.clone(), amount: 0 };
        share.grow(amount).then_some(share)
    }
}

impl QuotaShare {
    /// Enlarges the share. Returns whether that much was left.
    pub(crate) fn grow(&mut self, more: usize) -> bool {
        let mut taken = lock(&self.quota.taken);
        let before = taken.of.get(&self.client).copied().unwrap_or(0);
        let is_room = taken.all.saturating_add(more) <= self.quota.all
            && before.saturating_add(more) <= self.quota.of_one;
        if is_room && more > 0 {
            taken.all += more;
            taken.of.insert(self.client.clone(), before + more);
            self.amount += more;
        }
        is_room
    }
}

impl Drop for QuotaShare {
    fn drop(&mut self) {
        if self.amount == 0 {
            return;
        }
        let mut taken = lock(&self.quota.taken);
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
        let quota = Quota::new(5, 3);
        let (one, other) = (Client::Key("one".into()), Client::Key("other".into()));
        let mut first = quota.take(&one, 2).unwrap();
        assert!(quota.take(&one, 2).is_none());
        assert!(first.grow(1) && !first.grow(1));
        // The rest is left to other clients.
        let second = quota.take(&other, 2).unwrap();
        assert!(quota.take(&other, 1).is_none());
        drop((first, second));
        assert!(lock(&quota.taken).of.is_empty());
        assert!(quota.take(&other, 3).is_some());
    }
}
