//! The service as its users meet it: through the app, and through a socket where that matters.

mod client;
mod gate;
mod hostile;
mod openapi;
mod pages;
mod sites;
