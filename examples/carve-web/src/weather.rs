//! The weather, from a service that is asked over HTTP.

use std::pin::Pin;

/// What the weather is like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeatherResponse {
    pub main: String,
    pub description: String,
}

impl WeatherResponse {
    /// Reads `Clear;clear sky`.
    pub fn parse(text: &str) -> Option<WeatherResponse> {
        let (main, description) = text.trim().split_once(';')?;
        Some(WeatherResponse {
            main: main.to_owned(),
            description: description.to_owned(),
        })
    }
}

/// An answer that is waited for.
pub type Answer<'a> = Pin<Box<dyn Future<Output = Option<WeatherResponse>> + Send + 'a>>;

/// Who knows the weather.
pub trait WeatherClient: Send + Sync {
    fn fetch_weather(&self) -> Answer<'_>;
}

/// A service on the network.
pub struct WeatherService {
    pub url: String,
}

impl WeatherClient for WeatherService {
    fn fetch_weather(&self) -> Answer<'_> {
        let url = self.url.clone();
        Box::pin(async move {
            let text = tokio::task::spawn_blocking(move || fetch(&url))
                .await
                .ok()??;
            WeatherResponse::parse(&text)
        })
    }
}

fn fetch(url: &str) -> Option<String> {
    ureq::get(url).call().ok()?.body_mut().read_to_string().ok()
}
