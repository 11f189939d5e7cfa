//! Lists the objects of a bucket with a common prefix.

use std::io;

use futures_util::TryStreamExt;
use object_store::ObjectStore;
use object_store::path::Path;

use super::address::Address;
use super::client::Client;
use super::request::{Failure, object_failure};
use super::transfer::RetryPolicy;
use crate::limits::REMOTE_FILES_MAX;

impl Client {
    /// The addresses of all objects in a folder, in the order of their names.
    pub(super) fn list(&self, address: &str) -> io::Result<Vec<String>> {
        let Address::Object { bucket, key } = Address::parse(address)? else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "only folders of buckets can be listed"));
        };
        let store = self.store(&bucket)?;
        let mut names = self.runtime.block_on(names(&*store, &key, &self.retry_policy))?;
        names.sort_unstable();
        Ok(names.into_iter().map(|name| format!("s3://{bucket}/{name}")).collect())
    }
}

/// The names of all objects in a folder.
async fn names(
    store: &dyn ObjectStore,
    folder: &Path,
    retry_policy: &RetryPolicy,
) -> io::Result<Vec<String>> {
    let mut attempt = 0;
    let names = loop {
        match first(store, folder, REMOTE_FILES_MAX + 1, retry_policy).await {
            Ok(names) => break names,
            Err(failure) => {
                attempt += 1;
                retry_policy.pause(attempt, failure).await?;
            }
        }
    };
    match names.len() > REMOTE_FILES_MAX {
        true => Err(io::Error::other(format!(
            "it has more than {REMOTE_FILES_MAX} files: name a smaller folder, or list the files with --inputs-from"
        ))),
        false => Ok(names),
    }
}

/// The names of the first `most` objects.
async fn first(
    store: &dyn ObjectStore,
    folder: &Path,
    most: usize,
    retry_policy: &RetryPolicy,
) -> Result<Vec<String>, Failure> {
    let mut objects = store.list(Some(folder));
    let mut names = Vec::new();
    while names.len() < most {
        let next = async { objects.try_next().await.map_err(object_failure) };
        match retry_policy.await_answer(next).await? {
            Some(object) => names.push(object.location.to_string()),
            None => break,
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use object_store::memory::InMemory;
    use object_store::{ObjectStoreExt, PutPayload};

    use super::*;

    #[test]
    fn a_folder_has_so_many_files_and_no_more() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(fill_a_folder());
    }

    async fn fill_a_folder() {
        let store = InMemory::new();
        let (folder, retry_policy) = (Path::from("crawl"), RetryPolicy::default());
        for number in 0..REMOTE_FILES_MAX {
            store.put(&folder.clone().join(number.to_string()), PutPayload::new()).await.unwrap();
        }
        assert_eq!(names(&store, &folder, &retry_policy).await.unwrap().len(), 5);
        store.put(&folder.clone().join("more"), PutPayload::new()).await.unwrap();
        let error = names(&store, &folder, &retry_policy).await.unwrap_err().to_string();
        assert!(error.starts_with("it has more than 5 files: name a smaller folder"), "{error}");
        // Other folders are counted separately.
        assert_eq!(names(&store, &Path::from("empty"), &retry_policy).await.unwrap(), Vec::<String>::new());
    }
}
