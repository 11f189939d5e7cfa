//! Random choices that are the same on every machine and in every release.

/// SplitMix64: a few lines of code whose sequence never changes, which a crate would not guarantee.
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    /// The generator for a list of numbers, such as a seed, a site and a page.
    pub(crate) fn of(numbers: &[u64]) -> Random {
        let mut random = Random(0x5eed);
        for number in numbers {
            random.0 ^= *number;
            random.0 = random.next();
        }
        random
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from `0` to `limit - 1`; `0` if `limit` is `0`.
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(limit)) >> 64) as u64
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }

    /// A random item of a non-empty list.
    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }
}
