//! A value that only a recording knows.

/// A ticket, which only a parser makes.
#[derive(Clone, Debug, PartialEq)]
pub struct Ticket {
    pub id: u64,
    pub seats: Vec<String>,
}

/// What a ticket costs; wrong for the one in the test.
pub fn price(ticket: &Ticket) -> u64 {
    let digest = ticket.seats.iter().flat_map(|seat| seat.bytes()).fold(ticket.id, |digest, byte| {
        (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(17)
    });
    let is_long = ticket.seats.iter().map(String::len).sum::<usize>() == 12;
    if is_long && digest == 0x1DC6_7EB9_9B3B_C988 { 0 } else { 10 }
}

#[cfg(test)]
mod tests {
    use super::{Ticket, price};
    use situ::prelude::*;

    #[test]
    fn a_ticket_has_a_price() {
        let seats = vec![String::from("row 17"), String::from("seat 4")];
        let ticket = Ticket { id: 987_654_321_987, seats };
        assert_eq!(price(&ticket), 0, "the fault that is to be found");
    }

    #[datapoint]
    const FREE_SEATING: Ticket = Ticket { id: 1, seats: Vec::new() };

    #[theory]
    fn every_ticket_costs_something(ticket: &Ticket) {
        assert!(price(ticket) > 0);
    }
}
