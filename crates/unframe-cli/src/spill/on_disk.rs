//! Models in an unnamed file, with a cache of the most recently used ones.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Context;
use unframe::Model;
use unframe::detect::Detector;
use unframe::learn::{Learned, Models, Part, SiteModels};
use xxhash_rust::xxh3::xxh3_64;

use super::runs::{read_bytes, read_head, write_record};
use super::{ModelFailure, cannot_write};
use crate::learning::on_threads;

/// Estimated ratio of the memory of a model to its size in the file.
pub(super) const MEMORY_PER_FILE_BYTE: usize = 4;

/// How models are made and cached.
pub(super) struct ModelBuilder<'a> {
    pub(super) detector: Box<dyn Detector>,
    pub(super) threads: usize,
    /// Bytes of models that may stay in memory.
    pub(super) cached_max: usize,
    pub(super) failed: &'a ModelFailure,
}

impl ModelBuilder<'_> {
    /// Makes the models of all sites. One thread at a time gets the `next` site; all can make something of it with `learned`.
    pub(super) fn models<T>(
        self,
        next: impl FnMut() -> anyhow::Result<Option<(String, T)>> + Send,
        learned: impl Fn(T, &dyn Detector) -> anyhow::Result<Learned> + Sync,
    ) -> anyhow::Result<Models> {
        let (next, writer) = (Mutex::new(next), Mutex::new(ModelsWriter::new()?));
        let (detector, error) = (&*self.detector, Mutex::new(None));
        // The lock is held for the next site only, not while its model is made.
        let next = || lock(&next)();
        let work = || {
            while let Some((site, found)) = next()? {
                let model = learned(found, detector)?.model(detector);
                let bytes = Part::Learned(Learned::Templates(model)).encode(detector);
                lock(&writer).add(&site, &bytes)?;
            }
            Ok(())
        };
        on_threads(self.threads, &|| {
            if let Err(failed) = work() {
                *lock(&error) = Some(failed);
            }
        });
        if let Some(error) = lock(&error).take() {
            return Err(error);
        }
        let writer = writer.into_inner().unwrap_or_else(PoisonError::into_inner);
        let models = writer.finish(self.detector.copy(), self.cached_max, Arc::clone(self.failed))?;
        Ok(Models::elsewhere(self.detector, Box::new(models)))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes models, in any order.
struct ModelsWriter {
    file: BufWriter<File>,
    locations: Vec<ModelLocation>,
    len: u64,
}

/// The location of a model in the file. Names would take several times the memory; the file has them, to resolve equal hashes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ModelLocation {
    hash: u64,
    at: u64,
}

impl ModelsWriter {
    fn new() -> anyhow::Result<ModelsWriter> {
        let file = tempfile::tempfile().with_context(cannot_write)?;
        Ok(ModelsWriter { file: BufWriter::with_capacity(256 << 10, file), locations: Vec::new(), len: 0 })
    }

    fn add(&mut self, site: &str, model: &[u8]) -> anyhow::Result<()> {
        self.locations.push(ModelLocation { hash: xxh3_64(site.as_bytes()), at: self.len });
        self.len += write_record(&mut self.file, site, model).with_context(cannot_write)?;
        Ok(())
    }

    /// The models, with this many bytes of cache.
    fn finish(
        mut self,
        detector: Box<dyn Detector>,
        bytes_max: usize,
        failed: ModelFailure,
    ) -> anyhow::Result<ModelsOnDisk> {
        self.locations.sort_unstable();
        let file =
            self.file.into_inner().map_err(io::IntoInnerError::into_error).with_context(cannot_write)?;
        let cache = Mutex::new(Cache::new(bytes_max));
        Ok(ModelsOnDisk { detector, file: Mutex::new(file), locations: self.locations, cache, failed })
    }
}

/// Models on disk.
struct ModelsOnDisk {
    detector: Box<dyn Detector>,
    file: Mutex<File>,
    /// By hash, then by location.
    locations: Vec<ModelLocation>,
    cache: Mutex<Cache<Model>>,
    failed: ModelFailure,
}

impl SiteModels for ModelsOnDisk {
    fn model(&self, site: &str) -> Option<Arc<Model>> {
        if let Some(model) = lock(&self.cache).get(site) {
            return Some(model);
        }
        let bytes = self.read(site).unwrap_or_else(|error| {
            let _ = self.failed.set(error);
            None
        })?;
        match Part::decode(&bytes, &*self.detector) {
            Ok(Part::Learned(Learned::Templates(model))) => {
                let model = Arc::new(model);
                lock(&self.cache).add(site, &model, MEMORY_PER_FILE_BYTE * bytes.len());
                Some(model)
            }
            _ => {
                let _ = self.failed.set(io::Error::new(io::ErrorKind::InvalidData, "a model is damaged"));
                None
            }
        }
    }
}

impl ModelsOnDisk {
    /// The bytes of the model of a site.
    fn read(&self, site: &str) -> io::Result<Option<Vec<u8>>> {
        let hash = xxh3_64(site.as_bytes());
        let first = self.locations.partition_point(|location| location.hash < hash);
        for location in self.locations[first..].iter().take_while(|location| location.hash == hash) {
            let file = &mut *lock(&self.file);
            file.seek(SeekFrom::Start(location.at))?;
            let (name, len) = read_head(file)?.ok_or(io::ErrorKind::UnexpectedEof)?;
            if name == site {
                return read_bytes(file, len).map(Some);
            }
        }
        Ok(None)
    }
}

/// The most recently used models.
struct Cache<T> {
    models: HashMap<Arc<str>, CachedModel<T>>,
    /// Their sites by the time of their last use.
    by_use: BTreeMap<u64, Arc<str>>,
    /// Counts uses.
    clock: u64,
    bytes: usize,
    bytes_max: usize,
}

struct CachedModel<T> {
    model: Arc<T>,
    bytes: usize,
    used: u64,
}

impl<T> Cache<T> {
    fn new(bytes_max: usize) -> Cache<T> {
        Cache { models: HashMap::new(), by_use: BTreeMap::new(), clock: 0, bytes: 0, bytes_max }
    }

    fn get(&mut self, site: &str) -> Option<Arc<T>> {
        let cached = self.models.get_mut(site)?;
        self.clock += 1;
        if let Some(site) = self.by_use.remove(&cached.used) {
            self.by_use.insert(self.clock, site);
        }
        cached.used = self.clock;
        Some(Arc::clone(&cached.model))
    }

    /// Adds a model, and drops those that were not used for longest until there is room for it.
    fn add(&mut self, site: &str, model: &Arc<T>, bytes: usize) {
        if self.models.contains_key(site) {
            // Another thread has added it meanwhile.
            return;
        }
        let site: Arc<str> = site.into();
        self.clock += 1;
        self.by_use.insert(self.clock, Arc::clone(&site));
        self.models.insert(site, CachedModel { model: Arc::clone(model), bytes, used: self.clock });
        self.bytes += bytes;
        while self.bytes > self.bytes_max
            && let Some((_, oldest)) = self.by_use.pop_first()
        {
            self.bytes -= self.models.remove(&oldest).map_or(0, |cached| cached.bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_that_comes_again_and_again_stays() {
        let mut cache = Cache::new(2);
        let mut read = Vec::new();
        // A large site, the pages of which are among those of many others.
        for site in ["large", "a", "large", "b", "large", "c", "b"] {
            if cache.get(site).is_none() {
                read.push(site);
                cache.add(site, &Arc::new(()), 1);
            }
        }
        assert_eq!(read, ["large", "a", "b", "c", "b"]);
        assert_eq!((cache.bytes, cache.models.len(), cache.by_use.len()), (2, 2, 2));
        // One that is too large is not held.
        cache.add("huge", &Arc::new(()), 3);
        assert_eq!((cache.bytes, cache.models.len(), cache.by_use.len()), (0, 0, 0));
    }
}
