//! A crate outside the workspace.

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(pub u16);

/// Answers differently every time.
#[derive(Debug, Default)]
pub struct Wire {
    sent: u32,
}

impl Wire {
    pub fn get(&mut self, path: &str) -> Result<String, Refused> {
        self.sent += 1;
        if path.contains("secret") { Err(Refused(403)) } else { Ok(format!("{path} {}", self.sent)) }
    }

    pub async fn later(&self, text: String) -> usize {
        text.len()
    }

    pub fn fill(&self, into: &mut Vec<u8>) {
        into.push(7);
    }
}

pub fn dice(sides: u32) -> u32 {
    sides / 2
}

pub fn apply(run: impl Fn(u32) -> u32) -> u32 {
    run(4)
}
