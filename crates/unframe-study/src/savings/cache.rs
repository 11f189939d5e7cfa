//! How much a cache of templates would save.

use unframe::aggregate::Ranked;

/// The savings of a cache of one size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CachePoint {
    /// The number of template hashes in the cache, which are the most frequent ones.
    pub templates: usize,
    /// Their share of all occurrences of templates.
    pub occurrences: f64,
    /// The share of the bytes of all templates that the cache saves, because each cached template is sent only once.
    pub bytes: f64,
}

/// The savings of caches of growing sizes: 1, 3, 10, 30 and so on, up to all hashes. All sites share one cache.
pub fn cache_curve<'r>(ranks: impl IntoIterator<Item = &'r Ranked>) -> Vec<CachePoint> {
    let mut ranks: Vec<&Ranked> = ranks.into_iter().collect();
    ranks.sort_by_key(|ranked| (std::cmp::Reverse(ranked.occurrences), ranked.template));
    let occurrences: u64 = ranks.iter().map(|ranked| ranked.occurrences).sum();
    let bytes: u64 = ranks.iter().map(|ranked| ranked.bytes).sum();
    let steps = (0..).flat_map(|power| [1, 3].map(|factor| factor * 10usize.pow(power)));
    let sizes = steps.take_while(|size| *size < ranks.len()).chain([ranks.len()]).filter(|size| *size > 0);
    let point = |size: usize| {
        let cached = &ranks[..size];
        let saved = |ranked: &&Ranked| ranked.bytes as f64 * (1.0 - 1.0 / ranked.occurrences.max(1) as f64);
        CachePoint {
            templates: size,
            occurrences: cached.iter().map(|ranked| ranked.occurrences).sum::<u64>() as f64
                / occurrences.max(1) as f64,
            bytes: cached.iter().map(saved).sum::<f64>() / bytes.max(1) as f64,
        }
    };
    sizes.map(point).collect()
}
