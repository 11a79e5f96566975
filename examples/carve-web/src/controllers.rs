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
    let person = Person {
        first_name,
        last_name,
    };
    if app.people.find_by_last_name(&person.last_name).is_some() {
        return Err(StatusCode::CONFLICT);
    }
    app.people.save(&person);
    Ok(format!("Welcome, {}!", person.first_name))
}

/// `GET /weather`
pub async fn weather(State(app): State<App>) -> Result<String, StatusCode> {
    let weather = app
        .weather
        .fetch_weather()
        .await
        .ok_or(StatusCode::BAD_GATEWAY)?;
    Ok(format!("{}: {}", weather.main, weather.description))
}

#[cfg(test)]
mod carved_tests {
    use super::*;

    type Answers<F> = std::sync::Mutex<std::collections::VecDeque<F>>;

    /// The calls that doubles receive, in their order.
    type Calls = std::sync::Arc<std::sync::Mutex<Vec<String>>>;

    /// Returns what the recorded calls returned, in their order.
    #[derive(Default)]
    struct PersonRepositoryDouble {
        name: &'static str,
        calls: Calls,
        on_find_by_last_name: Answers<fn(&str) -> Option<Person>>,
        on_save: Answers<fn(&Person)>,
    }

    impl PersonRepositoryDouble {
        fn new(name: &'static str, calls: &Calls) -> Self {
            PersonRepositoryDouble {
                name,
                calls: calls.clone(),
                ..Self::default()
            }
        }

        fn on_find_by_last_name(self, answer: fn(&str) -> Option<Person>) -> Self {
            self.on_find_by_last_name.lock().unwrap().push_back(answer);
            self
        }

        fn on_save(self, answer: fn(&Person)) -> Self {
            self.on_save.lock().unwrap().push_back(answer);
            self
        }
    }

    impl PersonRepository for PersonRepositoryDouble {
        fn find_by_last_name(&self, last_name: &str) -> Option<Person> {
            self.calls
                .lock()
                .unwrap()
                .push(format!("{}.find_by_last_name", self.name));
            let answer = self.on_find_by_last_name.lock().unwrap().pop_front();
            answer.expect("an unexpected call of `find_by_last_name`")(last_name)
        }

        fn save(&self, person: &Person) {
            self.calls
                .lock()
                .unwrap()
                .push(format!("{}.save", self.name));
            let answer = self.on_save.lock().unwrap().pop_front();
            answer.expect("an unexpected call of `save`")(person)
        }
    }

    /// Returns what the recorded calls returned, in their order.
    #[derive(Default)]
    struct WeatherClientDouble {
        name: &'static str,
        calls: Calls,
        on_fetch_weather: Answers<fn() -> Option<crate::weather::WeatherResponse>>,
    }

    impl WeatherClientDouble {
        fn new(name: &'static str, calls: &Calls) -> Self {
            WeatherClientDouble {
                name,
                calls: calls.clone(),
                ..Self::default()
            }
        }

        fn on_fetch_weather(self, answer: fn() -> Option<crate::weather::WeatherResponse>) -> Self {
            self.on_fetch_weather.lock().unwrap().push_back(answer);
            self
        }
    }

    impl WeatherClient for WeatherClientDouble {
        fn fetch_weather(&self) -> crate::weather::Answer<'_> {
            self.calls
                .lock()
                .unwrap()
                .push(format!("{}.fetch_weather", self.name));
            let answer = self.on_fetch_weather.lock().unwrap().pop_front();
            let answer = answer.expect("an unexpected call of `fetch_weather`")();
            Box::pin(async move { answer })
        }
    }

    #[tokio::test]
    async fn hello_where_last_name_carter_returning_hello_james_carter() {
        let calls = Calls::default();
        let people =
            PersonRepositoryDouble::new("people", &calls).on_find_by_last_name(|last_name| {
                assert_eq!(last_name, "carter");
                Some(Person {
                    first_name: String::from("james"),
                    last_name: String::from("carter"),
                })
            });
        let app = App {
            people: Arc::new(people),
            weather: Arc::new(WeatherClientDouble::default()),
        };
        let last_name = String::from("carter");

        let result = hello(State(app), Path(last_name)).await;

        assert_eq!(result, "Hello james carter!");
        assert_eq!(*calls.lock().unwrap(), ["people.find_by_last_name"]);
    }

    #[tokio::test]
    async fn hello_where_last_name_nobody_returning_who_is_this() {
        let calls = Calls::default();
        let people =
            PersonRepositoryDouble::new("people", &calls).on_find_by_last_name(|last_name| {
                assert_eq!(last_name, "nobody");
                None
            });
        let app = App {
            people: Arc::new(people),
            weather: Arc::new(WeatherClientDouble::default()),
        };
        let last_name = String::from("nobody");

        let result = hello(State(app), Path(last_name)).await;

        assert_eq!(result, "Who is this 'nobody' you're talking about?");
        assert_eq!(*calls.lock().unwrap(), ["people.find_by_last_name"]);
    }

    #[tokio::test]
    async fn register_where_first_name_agent_and_last_name_007_returning_err() {
        let app = App {
            people: Arc::new(PersonRepositoryDouble::default()),
            weather: Arc::new(WeatherClientDouble::default()),
        };
        let first_name = String::from("agent");
        let last_name = String::from("007");

        let result = register(State(app), Path((first_name, last_name))).await;

        let error = result.unwrap_err();
        assert_eq!(format!("{error:?}"), "400");
    }

    #[tokio::test]
    async fn register_where_first_name_jimmy_and_last_name_carter_returning_err() {
        let calls = Calls::default();
        let people =
            PersonRepositoryDouble::new("people", &calls).on_find_by_last_name(|last_name| {
                assert_eq!(last_name, "carter");
                Some(Person {
                    first_name: String::from("james"),
                    last_name: String::from("carter"),
                })
            });
        let app = App {
            people: Arc::new(people),
            weather: Arc::new(WeatherClientDouble::default()),
        };
        let first_name = String::from("jimmy");
        let last_name = String::from("carter");

        let result = register(State(app), Path((first_name, last_name))).await;

        let error = result.unwrap_err();
        assert_eq!(format!("{error:?}"), "409");
        assert_eq!(*calls.lock().unwrap(), ["people.find_by_last_name"]);
    }

    #[tokio::test]
    async fn register_where_first_name_james_and_last_name_carter_returning_ok() {
        let calls = Calls::default();
        let people = PersonRepositoryDouble::new("people", &calls)
            .on_find_by_last_name(|last_name| {
                assert_eq!(last_name, "carter");
                None
            })
            .on_save(|person| {
                assert_eq!(
                    person,
                    &Person {
                        first_name: String::from("james"),
                        last_name: String::from("carter")
                    }
                );
            });
        let app = App {
            people: Arc::new(people),
            weather: Arc::new(WeatherClientDouble::default()),
        };
        let first_name = String::from("james");
        let last_name = String::from("carter");

        let result = register(State(app), Path((first_name, last_name))).await;

        assert_eq!(result, Ok(String::from("Welcome, james!")));
        assert_eq!(
            *calls.lock().unwrap(),
            ["people.find_by_last_name", "people.save"]
        );
    }

    #[tokio::test]
    async fn weather_when_fetch_weather_gives_none_returning_err() {
        let calls = Calls::default();
        let weather_double =
            WeatherClientDouble::new("weather_double", &calls).on_fetch_weather(|| None);
        let app = App {
            people: Arc::new(PersonRepositoryDouble::default()),
            weather: Arc::new(weather_double),
        };

        let result = weather(State(app)).await;

        let error = result.unwrap_err();
        assert_eq!(format!("{error:?}"), "502");
        assert_eq!(*calls.lock().unwrap(), ["weather_double.fetch_weather"]);
    }

    #[tokio::test]
    async fn weather_when_fetch_weather_gives_some_returning_ok() {
        let calls = Calls::default();
        let weather_double =
            WeatherClientDouble::new("weather_double", &calls).on_fetch_weather(|| {
                Some(crate::weather::WeatherResponse {
                    main: String::from("Clear"),
                    description: String::from("clear sky"),
                })
            });
        let app = App {
            people: Arc::new(PersonRepositoryDouble::default()),
            weather: Arc::new(weather_double),
        };

        let result = weather(State(app)).await;

        assert_eq!(result, Ok(String::from("Clear: clear sky")));
        assert_eq!(*calls.lock().unwrap(), ["weather_double.fetch_weather"]);
    }
}
