//! Values as trees, which are mutated, kept, shrunk and printed; and their encoding as bytes.

/// One value. Its [`Shape`](super::shape::Shape) says of which type.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// An integer, a boolean or a char. A `u128` is stored as its bits.
    Int(i128),
    /// A floating-point number.
    Float(f64),
    /// A string.
    Text(String),
    /// Elements.
    List(Vec<Tree>),
    /// The parts of a variant; structs and tuples have one variant.
    Node(u32, Vec<Tree>),
    /// A data point, by its number.
    Point(u32),
}

impl Tree {
    /// Returns the parts of a node, if it has exactly `N`.
    pub fn parts<const N: usize>(&self) -> Option<&[Tree; N]> {
        match self {
            Tree::Node(_, parts) => parts.as_slice().try_into().ok(),
            _ => None,
        }
    }

    /// Returns the number of nodes; each char of a string counts as one.
    pub fn size(&self) -> usize {
        match self {
            Tree::Int(_) | Tree::Float(_) | Tree::Point(_) => 1,
            Tree::Text(text) => 1 + text.chars().count(),
            Tree::List(parts) | Tree::Node(_, parts) => {
                1 + parts.iter().map(Tree::size).sum::<usize>()
            }
        }
    }

    /// Appends the encoded tree.
    pub fn write(&self, out: &mut Vec<u8>) {
        match self {
            Tree::Int(value) => {
                // Zigzag encoding: small numbers of either sign are short.
                let folded = ((value << 1) ^ (value >> 127)) as u128;
                out.push(0);
                write_number(folded, out);
            }
            Tree::Float(value) => {
                out.push(1);
                out.extend_from_slice(&value.to_bits().to_le_bytes());
            }
            Tree::Text(text) => {
                out.push(2);
                write_number(text.len() as u128, out);
                out.extend_from_slice(text.as_bytes());
            }
            Tree::List(parts) => {
                out.push(3);
                write_number(parts.len() as u128, out);
                parts.iter().for_each(|part| part.write(out));
            }
            Tree::Node(variant, parts) => {
                out.push(4);
                write_number(u128::from(*variant), out);
                write_number(parts.len() as u128, out);
                parts.iter().for_each(|part| part.write(out));
            }
            Tree::Point(number) => {
                out.push(5);
                write_number(u128::from(*number), out);
            }
        }
    }

    /// Returns the encoded tree.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.write(&mut out);
        out
    }

    /// Decodes a tree. Returns `None` if the bytes are no tree.
    pub fn from_bytes(bytes: &[u8]) -> Option<Tree> {
        let mut reader = Reader { bytes };
        let tree = reader.tree(0)?;
        reader.bytes.is_empty().then_some(tree)
    }
}

fn write_number(mut number: u128, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// The maximum depth; decoding a deeper tree would need as much stack.
const DEEPEST: usize = 2_000;

struct Reader<'b> {
    bytes: &'b [u8],
}

impl Reader<'_> {
    fn tree(&mut self, depth: usize) -> Option<Tree> {
        if depth > DEEPEST {
            return None;
        }
        match self.byte()? {
            0 => {
                let folded = self.number()?;
                Some(Tree::Int(((folded >> 1) as i128) ^ -((folded & 1) as i128)))
            }
            1 => {
                let bits = self.take(8)?.try_into().ok()?;
                Some(Tree::Float(f64::from_bits(u64::from_le_bytes(bits))))
            }
            2 => {
                let length = self.length()?;
                Some(Tree::Text(
                    String::from_utf8(self.take(length)?.to_vec()).ok()?,
                ))
            }
            3 => Some(Tree::List(self.parts(depth)?)),
            4 => {
                let variant = u32::try_from(self.number()?).ok()?;
                Some(Tree::Node(variant, self.parts(depth)?))
            }
            5 => Some(Tree::Point(u32::try_from(self.number()?).ok()?)),
            _ => None,
        }
    }

    fn parts(&mut self, depth: usize) -> Option<Vec<Tree>> {
        let length = self.length()?;
        (0..length).map(|_| self.tree(depth + 1)).collect()
    }

    /// Reads a length that does not exceed the remaining bytes.
    fn length(&mut self) -> Option<usize> {
        let length = usize::try_from(self.number()?).ok()?;
        (length <= self.bytes.len()).then_some(length)
    }

    fn number(&mut self) -> Option<u128> {
        let mut number = 0_u128;
        for shift in (0..133).step_by(7) {
            let byte = self.byte()?;
            number |= u128::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn byte(&mut self) -> Option<u8> {
        Some(self.take(1)?[0])
    }

    fn take(&mut self, count: usize) -> Option<&[u8]> {
        let (taken, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::Tree;

    #[test]
    fn a_tree_comes_back_from_its_bytes() {
        let tree = Tree::Node(
            3,
            vec![
                Tree::Int(-1),
                Tree::Int(i128::MIN),
                Tree::Int(u128::MAX as i128),
                Tree::Float(-0.0),
                Tree::List(vec![Tree::Text("ä€".into()), Tree::Point(7)]),
            ],
        );
        let bytes = tree.to_bytes();
        assert_eq!(Tree::from_bytes(&bytes), Some(tree));
        for end in 0..bytes.len() {
            assert_eq!(Tree::from_bytes(&bytes[..end]), None);
        }
    }

    #[test]
    fn a_length_that_lies_is_refused() {
        assert_eq!(Tree::from_bytes(&[3, 0xff, 0xff, 0xff, 0x7f]), None);
        assert_eq!(Tree::from_bytes(&[9]), None);
    }
}
