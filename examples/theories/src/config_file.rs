//! Where the settings of a user are kept.

use std::path::{MAIN_SEPARATOR_STR, PathBuf};

/// The file of a user's settings.
pub fn config_file_name(user: &str) -> PathBuf {
    // With the bug a separator in a name leads out of the folder.
    let user = if cfg!(feature = "bugs") {
        String::from(user)
    } else {
        user.replace(MAIN_SEPARATOR_STR, "_")
    };
    ["configfiles", &format!("{user}.cfg")].iter().collect()
}

#[cfg(test)]
mod tests {
    use super::config_file_name;
    use situ::prelude::*;
    use std::path::{MAIN_SEPARATOR, Path};

    #[datapoints]
    const USERS: [&str; 3] = ["optimus", "", "rodimus/prime"];

    // An ordinary test may assume something of where it runs; elsewhere it is skipped, and says so.
    #[test]
    fn the_file_name_includes_the_user_name() {
        assume!(MAIN_SEPARATOR == '/');
        assert_eq!(
            config_file_name("optimus").to_str(),
            Some("configfiles/optimus.cfg")
        );
    }

    #[theory]
    fn every_file_is_right_in_the_folder(user: &str) {
        assert_eq!(
            config_file_name(user).parent(),
            Some(Path::new("configfiles"))
        );
    }

    #[theory]
    fn the_file_name_is_that_of_the_user(user: &str) {
        assume!(!user.contains(MAIN_SEPARATOR));
        let file = config_file_name(user);
        assert_eq!(
            file.file_name().and_then(|name| name.to_str()),
            Some(format!("{user}.cfg").as_str())
        );
    }
}
