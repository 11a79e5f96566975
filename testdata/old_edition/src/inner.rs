pub struct Thing {
    pub name: String,
    pub count: u8,
}

pub fn parse(text: &str) -> Result<Thing, Box<::std::error::Error>> {
    let mut parts = text.splitn(2, ':');
    let name = parts.next().unwrap_or("").to_owned();
    let count = try!(parts.next().ok_or("no count")).parse::<u8>()?;
    Ok(Thing { name: name, count: count })
}
