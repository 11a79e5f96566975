#![no_std]

#[derive(Clone, Copy)]
pub struct Register {
    bits: u8,
}

impl Register {
    pub fn new(bits: u8) -> Self {
        Register { bits }
    }

    pub fn set(&mut self, bit: u8) -> u8 {
        self.bits |= 1 << bit;
        self.bits
    }
}

#[cfg(test)]
mod tests {
    use super::Register;

    #[test]
    fn bits_are_set() {
        let mut register = Register::new(1);
        assert_eq!(register.set(3), 9);
    }

    #[test]
    fn fails_by_design() {
        assert_eq!(Register::new(1).set(0), 2, "this test fails without recording too");
    }
}
