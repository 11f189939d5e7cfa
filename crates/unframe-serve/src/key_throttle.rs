//! Slows down the guessing of keys: an address that sends wrong keys has to wait, longer after each of them.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use axum::http::StatusCode;

use crate::caller::network;
use crate::error::{Answer, ApiError};
use crate::limits::{WRONG_KEYS_ADDRESSES, WRONG_KEYS_FREE, WRONG_KEYS_PAUSE_MAX, WRONG_KEYS_TIME};
use crate::service::lock;

/// The addresses that sent wrong keys recently.
#[derive(Debug, Default)]
pub(crate) struct KeyThrottle {
    of: Mutex<HashMap<Option<IpAddr>, Wrong>>,
}

#[derive(Debug, Clone, Copy)]
struct Wrong {
    keys: u32,
    last: Instant,
}

impl Wrong {
    /// How long the address has to wait after its last wrong key.
    fn pause(self) -> Duration {
        match self.keys.checked_sub(WRONG_KEYS_FREE) {
            None => Duration::ZERO,
            Some(more) => Duration::from_secs(1 << more.min(30)).min(WRONG_KEYS_PAUSE_MAX),
        }
    }

    fn is_old(self, now: Instant) -> bool {
        now.saturating_duration_since(self.last) > WRONG_KEYS_TIME
    }
}

impl KeyThrottle {
    /// Refuses every key while its address has to wait. The key is not checked, so that a guess reveals nothing.
    pub(crate) fn check(&self, address: Option<IpAddr>, now: Instant) -> Answer<()> {
        let Some(wrong) = lock(&self.of).get(&address.map(network)).copied() else { return Ok(()) };
        let left = wrong.pause().saturating_sub(now.saturating_duration_since(wrong.last));
        if left.is_zero() {
            return Ok(());
        }
        let seconds = left.as_secs() as u32 + u32::from(left.subsec_nanos() > 0);
        let message = format!("too many wrong keys came from this address: retry in {seconds} seconds");
        let error = ApiError::new(StatusCode::TOO_MANY_REQUESTS, "wrong-keys", message);
        Err(ApiError { retry_after: Some(seconds), ..error })
    }

    /// Counts a wrong key. A right key does not reset the count: otherwise the owner of one key could guess other keys.
    pub(crate) fn wrong(&self, address: Option<IpAddr>, now: Instant) {
        let mut of = lock(&self.of);
        let address = address.map(network);
        if of.len() >= WRONG_KEYS_ADDRESSES && !of.contains_key(&address) {
            make_room(&mut of, now);
        }
        let wrong = of.entry(address).or_insert(Wrong { keys: 0, last: now });
        if wrong.is_old(now) {
            wrong.keys = 0;
        }
        *wrong = Wrong { keys: wrong.keys.saturating_add(1), last: now };
    }
}

/// Removes old addresses, or else the least recently active one.
fn make_room(of: &mut HashMap<Option<IpAddr>, Wrong>, now: Instant) {
    of.retain(|_, wrong| !wrong.is_old(now));
    if of.len() >= WRONG_KEYS_ADDRESSES {
        let oldest = of.iter().min_by_key(|(_, wrong)| wrong.last).map(|(address, _)| *address);
        oldest.map(|address| of.remove(&address));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(number: u32) -> Option<IpAddr> {
        Some(std::net::Ipv4Addr::from_bits(number).into())
    }

    #[test]
    fn pauses_grow_up_to_a_limit_and_are_forgotten() {
        let (key_throttle, mut now) = (KeyThrottle::default(), Instant::now());
        let mut pauses = Vec::new();
        for _ in 0..20 {
            key_throttle.wrong(address(1), now);
            let pause =
                key_throttle.check(address(1), now).err().and_then(|error| error.retry_after).unwrap_or(0);
            pauses.push(pause);
            now += Duration::from_secs(pause.into());
            assert!(key_throttle.check(address(1), now).is_ok(), "after {pause} seconds");
            assert!(key_throttle.check(address(2), now).is_ok());
        }
        assert_eq!(pauses, [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300, 300, 300, 300, 300]);
        now += WRONG_KEYS_TIME + Duration::from_secs(1);
        key_throttle.wrong(address(1), now);
        assert!(key_throttle.check(address(1), now).is_ok());
    }

    #[test]
    fn so_many_addresses_are_remembered_and_no_more() {
        let (key_throttle, now) = (KeyThrottle::default(), Instant::now());
        for number in 0..WRONG_KEYS_ADDRESSES as u32 + 100 {
            key_throttle.wrong(address(number), now + Duration::from_millis(number.into()));
        }
        let of = lock(&key_throttle.of);
        assert_eq!(of.len(), WRONG_KEYS_ADDRESSES);
        assert!(!of.contains_key(&address(99)) && of.contains_key(&address(100)));
    }
}
