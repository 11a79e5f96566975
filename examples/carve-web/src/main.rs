//! Greets people that it knows, and tells the weather: `carve-web serve DATABASE WEATHER_URL ADDRESS_FILE`.
//!
//! `carve-web weather ADDRESS_FILE` is a weather service to try it with, `carve-web get URL` and
//! `carve-web put URL` are a client for who has no other.
#![forbid(unsafe_code)]

mod controllers;
mod people;
mod weather;

use axum::Router;
use axum::routing::{get, put};
use controllers::App;
use people::SqlitePeople;
use std::env;
use std::error::Error;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::net::TcpListener;
use weather::WeatherService;

type Outcome = Result<(), Box<dyn Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["serve", database, weather_url, address_file] => {
            let people = Arc::new(SqlitePeople::open(database)?);
            let weather = Arc::new(WeatherService { url: (*weather_url).to_owned() });
            serve(routes(App { people, weather }), address_file).await
        }
        ["weather", address_file] => serve(Router::new().route("/", get(today)), address_file).await,
        ["get", url] => {
            println!("{}", ureq::get(*url).call()?.body_mut().read_to_string()?);
            Ok(())
        }
        ["put", url] => {
            println!("{}", ureq::put(*url).send_empty()?.body_mut().read_to_string()?);
            Ok(())
        }
        _ => Err("carve-web serve DATABASE WEATHER_URL ADDRESS_FILE | weather ADDRESS_FILE | get URL | put URL".into()),
    }
}

/// The weather of one day after the other.
async fn today() -> &'static str {
    static DAY: AtomicUsize = AtomicUsize::new(0);
    ["Clear;clear sky", "Rain;light drizzle", "nothing to see"]
        [DAY.fetch_add(1, Ordering::Relaxed) % 3]
}

fn routes(app: App) -> Router {
    Router::new()
        .route("/hello/{last_name}", get(controllers::hello))
        .route(
            "/people/{first_name}/{last_name}",
            put(controllers::register),
        )
        .route("/weather", get(controllers::weather))
        .with_state(app)
}

/// Serves on a free port, and says its address in a file.
async fn serve(router: Router, address_file: &str) -> Outcome {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    fs::write(address_file, listener.local_addr()?.to_string())?;
    axum::serve(listener, router).await?;
    Ok(())
}
