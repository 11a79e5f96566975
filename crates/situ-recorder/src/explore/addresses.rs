//! Recognition of numbers that are addresses of this process: comparisons of these reveal nothing
//! about an input.

/// The approximate memory regions of this thread: stack, heap, program.
#[derive(Clone, Copy, Debug)]
pub struct Addresses {
    regions: [u64; 4],
}

/// The number of low bits in which addresses of one region may differ.
const REGION: u32 = 40;

static IN_THE_PROGRAM: u8 = 0;

impl Addresses {
    /// Determines the regions of this thread. On targets with short addresses there are none,
    /// because addresses cannot be told from other numbers.
    pub fn of_this_thread() -> Addresses {
        if usize::BITS < 64 {
            return Addresses { regions: [0; 4] };
        }
        let on_the_stack = 0_u8;
        let small = Box::new(0_u8);
        let large = Vec::<u8>::with_capacity(1 << 20);
        let places = [
            &raw const on_the_stack,
            &raw const *small,
            large.as_ptr(),
            &raw const IN_THE_PROGRAM,
        ];
        Addresses {
            regions: places.map(|place| place as u64 >> REGION),
        }
    }

    /// Returns whether a number is an address. A value of an input that happens to lie in a region
    /// only loses a hint.
    #[inline]
    pub fn has(&self, number: u64) -> bool {
        let region = number >> REGION;
        region != 0 && self.regions.contains(&region)
    }
}

#[cfg(test)]
mod tests {
    use super::Addresses;

    #[test]
    fn numbers_of_inputs_are_no_addresses() {
        let addresses = Addresses::of_this_thread();
        assert!(
            [0, 1, u64::from(u32::MAX), u64::MAX, 1 << 63]
                .iter()
                .all(|number| !addresses.has(*number))
        );
        let here = 7_u8;
        assert_eq!(addresses.has(&raw const here as u64), usize::BITS == 64);
    }
}
