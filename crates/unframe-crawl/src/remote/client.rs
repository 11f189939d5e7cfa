//! The HTTP and S3 clients, and readers of their responses.

use std::collections::HashMap;
use std::io::{self, Read};
use std::sync::{Arc, Mutex, OnceLock};

use bytes::{Buf, Bytes};
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::{ClientOptions, RetryConfig};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{Receiver, channel};

use super::address::Address;
use super::request::RemoteFile;
use super::transfer::{RetryPolicy, Transfer};

/// Capacity of the queue of received pieces.
const PIECES_AHEAD: usize = 16;

/// Connections, and the thread that serves them.
pub(super) struct Client {
    pub(super) runtime: Runtime,
    pub(super) retry_policy: RetryPolicy,
    web: reqwest::Client,
    stores: Mutex<HashMap<String, Arc<AmazonS3>>>,
}

/// The client of this process, whose connections all readers share.
pub(super) fn shared() -> io::Result<&'static Client> {
    static CLIENT: OnceLock<Result<Client, String>> = OnceLock::new();
    let client = CLIENT.get_or_init(|| {
        let client = Client::new(reqwest::Client::builder(), RetryPolicy::default());
        client.map_err(|error| format!("cannot set up HTTP requests: {error}"))
    });
    client.as_ref().map_err(|error| io::Error::other(error.as_str()))
}

impl Client {
    pub(super) fn new(web: reqwest::ClientBuilder, retry_policy: RetryPolicy) -> io::Result<Client> {
        // This fails if a provider is installed already, which can be used as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let web = web.user_agent(USER_AGENT).build().map_err(io::Error::other)?;
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        Ok(Client { runtime, retry_policy, web, stores: Mutex::default() })
    }

    /// Starts the transfer of a file, or a range of it, in the background.
    pub(super) fn open(&self, address: &str, range: Option<(u64, u64)>) -> io::Result<RemoteReader> {
        let mut transfer = self.transfer(address, range)?;
        let (sender, pieces) = channel(PIECES_AHEAD);
        self.runtime.spawn(async move {
            while let Some(piece) = transfer.next().await.transpose() {
                let is_last = piece.is_err();
                if sender.send(piece).await.is_err() || is_last {
                    return;
                }
            }
        });
        Ok(RemoteReader { pieces, piece: Bytes::new() })
    }

    /// The length of a file. It is found by requesting the first byte, because signed addresses allow no other method.
    pub(super) fn length(&self, address: &str) -> io::Result<u64> {
        let mut transfer = self.transfer(address, Some((0, 1)))?;
        self.runtime.block_on(transfer.file_length())
    }

    fn transfer(&self, address: &str, range: Option<(u64, u64)>) -> io::Result<Transfer> {
        let source = match Address::parse(address)? {
            Address::Web(url) => RemoteFile::Web(self.web.clone(), url),
            Address::Object { bucket, key } => RemoteFile::Object(self.store(&bucket)?, key),
        };
        Ok(Transfer::new(source, range, self.retry_policy.clone()))
    }

    /// The client of a bucket, configured by the environment.
    pub(super) fn store(&self, bucket: &str) -> io::Result<Arc<AmazonS3>> {
        let mut stores = self.stores.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(store) = stores.get(bucket) {
            return Ok(store.clone());
        }
        // A file may take hours, and the transfer limits silence and attempts. Endpoints without TLS are allowed, because they must be set
        // explicitly.
        let options = ClientOptions::new().with_timeout_disabled().with_allow_http(true);
        let retry = RetryConfig { max_retries: 0, ..RetryConfig::default() };
        let builder = AmazonS3Builder::from_env()
            .with_bucket_name(bucket)
            .with_client_options(options)
            .with_retry(retry);
        let store = Arc::new(builder.build().map_err(io::Error::other)?);
        stores.insert(bucket.to_owned(), store.clone());
        Ok(store)
    }
}

const USER_AGENT: &str = concat!("unframe/", env!("CARGO_PKG_VERSION"));

/// The bytes of a file, as they arrive.
pub(super) struct RemoteReader {
    pieces: Receiver<io::Result<Bytes>>,
    piece: Bytes,
}

impl Read for RemoteReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.piece.is_empty() {
            match self.pieces.blocking_recv() {
                None => return Ok(0),
                Some(piece) => self.piece = piece?,
            }
        }
        let length = into.len().min(self.piece.len());
        self.piece.copy_to_slice(&mut into[..length]);
        Ok(length)
    }
}
