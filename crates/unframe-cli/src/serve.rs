//! `unframe serve`: an HTTP API, and an explorer in the browser.

use std::io::Write;
use std::time::Duration;

use anyhow::bail;
use unframe_serve::{LogFormat, Options};

use crate::args::{ServeArgs, ServeLog};
use crate::exit::Outcome;

/// Runs the verb, until it is interrupted.
pub(crate) fn run(args: &ServeArgs) -> anyhow::Result<Outcome> {
    crate::output::check_folder(&args.state)?;
    let result = unframe_serve::run(options(args), |address| {
        // The address is printed because `--listen` may have left the choice of the port to the system.
        let _ = writeln!(std::io::stdout(), "listening on http://{address}/");
        let _ = std::io::stdout().flush();
    });
    match result {
        Ok(()) => Ok(Outcome::Clean),
        Err(error) => bail!("{}", error.message),
    }
}

fn options(args: &ServeArgs) -> Options {
    let seconds = |seconds: u32| Duration::from_secs(seconds.into());
    let megabyte = 1 << 20;
    Options {
        listen: args.listen,
        keys: args.keys.clone(),
        require_keys: args.require_keys,
        proxies: args.proxy.iter().map(|address| address.to_canonical()).collect(),
        site_by: args.site_by,
        method: args.method.clone(),
        rate: args.rate,
        connections: args.connections.max(1) as usize,
        concurrency: args.concurrency.max(1) as usize,
        threads: args.threads,
        request_time: seconds(args.request_time.max(1)),
        idle_time: seconds(args.idle_time.max(1)),
        body_rate: args.body_rate,
        job_time: seconds(args.job_time.max(1)),
        page_bytes: args.page_size.saturating_mul(megabyte),
        crawl_bytes: args.crawl_size.saturating_mul(megabyte as u64),
        memory: args.memory.bytes,
        table_memory: args.table_memory.bytes,
        keep_bytes: args.keep.saturating_mul(megabyte as u64),
        keep_pages: args.keep_pages,
        learn_after: (args.learn_after > 0).then(|| seconds(args.learn_after)),
        log: match args.log {
            ServeLog::Json => LogFormat::Json,
            ServeLog::Text => LogFormat::Text,
            ServeLog::None => LogFormat::None,
        },
        ..Options::new(&args.state)
    }
}
