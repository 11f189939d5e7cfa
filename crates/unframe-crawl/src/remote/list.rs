//! Lists the objects of a bucket with a common prefix.

use std::io;

use futures_util::TryStreamExt;
use object_store::ObjectStore;
use object_store::aws::AmazonS3;
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
        let mut attempt = 0;
        let mut names = self.runtime.block_on(async {
            loop {
                match first(&store, &key, REMOTE_FILES_MAX + 1, &self.retry_policy).await {
                    Ok(names) => return io::Result::Ok(names),
                    Err(failure) => {
                        attempt += 1;
                        self.retry_policy.pause(attempt, failure).await?;
                    }
                }
            }
        })?;
        if names.len() > REMOTE_FILES_MAX {
            return Err(io::Error::other(format!(
                "it has more than {REMOTE_FILES_MAX} files: name a smaller folder, or list the files with --inputs-from"
            )));
        }
        names.sort_unstable();
        Ok(names.into_iter().map(|name| format!("s3://{bucket}/{name}")).collect())
    }
}

/// The names of at most `most` objects.
async fn first(
    store: &AmazonS3,
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
