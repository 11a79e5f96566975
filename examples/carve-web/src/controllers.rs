//! What requests are answered with.

use crate::people::{Person, PersonRepository};
use crate::weather::WeatherClient;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use std::sync::Arc;

/// Whom the controllers ask.
#[derive(Clone)]
pub struct App {
    pub people: Arc<dyn PersonRepository>,
    pub weather: Arc<dyn WeatherClient>,
}

/// `GET /hello/{last_name}`
pub async fn hello(State(app): State<App>, Path(last_name): Path<String>) -> String {
    match app.people.find_by_last_name(&last_name) {
        Some(person) => format!("Hello {} {}!", person.first_name, person.last_name),
        None => format!("Who is this '{last_name}' you're talking about?"),
    }
}

/// `PUT /people/{first_name}/{last_name}`
pub async fn register(
    State(app): State<App>,
    Path((first_name, last_name)): Path<(String, String)>,
) -> Result<String, StatusCode> {
    if last_name.chars().any(char::is_numeric) {
        return Err(StatusCode::BAD_REQUEST);
    }
    let person = Person { first_name, last_name };
    if app.people.find_by_last_name(&person.last_name).is_some() {
        return Err(StatusCode::CONFLICT);
    }
    app.people.save(&person);
    Ok(format!("Welcome, {}!", person.first_name))
}

/// `GET /weather`
pub async fn weather(State(app): State<App>) -> Result<String, StatusCode> {
    let weather = app.weather.fetch_weather().await.ok_or(StatusCode::BAD_GATEWAY)?;
    Ok(format!("{}: {}", weather.main, weather.description))
}
