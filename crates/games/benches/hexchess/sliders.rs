//! Slider attack algorithms on a 128-bit board, including the rejected ones.

/// Steps towards higher bits: three through edges, three through corners.
const STEPS: [(i32, i32); 6] = [(0, 1), (1, -1), (1, 0), (1, -2), (1, 1), (2, -1)];

/// The bits of the cells in the order a1 … l6.
pub(crate) const BITS: [u32; 91] = {
    let mut bits = [0; 91];
    let (mut number, mut bit) = (0, 0);
    while bit < 128 {
        let (x, y) = coordinates(bit);
        if on_board(x, y) {
            bits[number] = bit;
            number += 1;
        }
        bit += 1;
    }
    bits
};

const fn coordinates(bit: u32) -> (i32, i32) {
    let x = (bit as i32 + 5) / 12 - 5;
    (x, bit as i32 - 60 - 12 * x)
}

const fn on_board(x: i32, y: i32) -> bool {
    x.abs() <= 5 && y.abs() <= 5 && (x + y).abs() <= 5
}

/// The cells from a cell in a direction, up to and including the first blocker.
fn ray(from: u32, (dx, dy): (i32, i32), occupied: u128) -> u128 {
    let (mut x, mut y) = coordinates(from);
    let mut seen = 0;
    loop {
        (x, y) = (x + dx, y + dy);
        if !on_board(x, y) {
            return seen;
        }
        let bit = 1 << (12 * x + y + 60);
        seen |= bit;
        if occupied & bit != 0 {
            return seen;
        }
    }
}

fn line(from: u32, step: usize, occupied: u128) -> u128 {
    let (dx, dy) = STEPS[step];
    ray(from, (dx, dy), occupied) | ray(from, (-dx, -dy), occupied)
}

/// The cells in a direction on an empty board: the steps, then their opposites.
pub(crate) fn empty_ray(from: u32, direction: usize) -> u128 {
    let (dx, dy) = STEPS[direction % 6];
    ray(from, if direction < 6 { (dx, dy) } else { (-dx, -dy) }, 0)
}

/// Queen attacks, step by step: the specification.
pub(crate) fn walked(from: u32, occupied: u128) -> u128 {
    (0..6).fold(0, |seen, step| seen | line(from, step, occupied))
}

/// Magic multiplication: maps each occupancy of `mask` to its own index, or to one with equal
/// attacks.
#[derive(Clone, Copy, Default)]
struct Magic {
    mask: u128,
    low: u64,
    high: u64,
    shift: u32,
    offset: u32,
}

impl Magic {
    #[inline]
    fn index(&self, occupied: u128) -> usize {
        let set = occupied & self.mask;
        let product = (set as u64)
            .wrapping_mul(self.low)
            .wrapping_add(((set >> 64) as u64).wrapping_mul(self.high));
        self.offset as usize + (product >> (self.shift & 63)) as usize
    }
}

/// All tables.
pub(crate) struct Tables {
    rays: [[u128; 128]; 12],
    halves: [[(u128, u128); 8]; 128],
    lines: [[Magic; 6]; 128],
    bishops: [Magic; 128],
    seen: Vec<u128>,
}

impl Tables {
    #[expect(clippy::large_stack_arrays, reason = "once, and the compiler builds them in the box")]
    pub(crate) fn new() -> Box<Self> {
        let mut tables = Box::new(Self {
            rays: [[0; 128]; 12],
            halves: [[(0, 0); 8]; 128],
            lines: [[Magic::default(); 6]; 128],
            bishops: [Magic::default(); 128],
            seen: Vec::new(),
        });
        for from in BITS {
            let slot = from as usize;
            for (step, (dx, dy)) in STEPS.into_iter().enumerate() {
                let (up, down) = (ray(from, (dx, dy), 0), ray(from, (-dx, -dy), 0));
                tables.rays[step][slot] = up;
                tables.rays[step + 6][slot] = down;
                tables.halves[slot][step] = (down, up);
                tables.lines[slot][step] =
                    tables.find(inner(from, &[step]), |set| line(from, step, set));
            }
            let bishop = |set| (3..6).fold(0, |seen, step| seen | line(from, step, set));
            tables.bishops[slot] = tables.find(inner(from, &[3, 4, 5]), bishop);
        }
        tables
    }

    /// Finds a magic factor by trying sparse random numbers, and fills in the attacks.
    fn find(&mut self, mask: u128, answer: impl Fn(u128) -> u128) -> Magic {
        let mut state = mask as u64 ^ (mask >> 64) as u64 ^ 0x9E37_79B9_7F4A_7C15;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let bits = mask.count_ones().max(1);
        let offset = self.seen.len();
        loop {
            let low = random() & random();
            let high = random() & random();
            let magic = Magic { mask, low, high, shift: 64 - bits, offset: offset as u32 };
            let mut places = vec![None; 1 << bits];
            let mut set = 0_u128;
            let fits = loop {
                let place = &mut places[magic.index(set) - offset];
                if place.is_some_and(|seen| seen != answer(set)) {
                    break false;
                }
                *place = Some(answer(set));
                // The next subset of the mask.
                set = set.wrapping_sub(mask) & mask;
                if set == 0 {
                    break true;
                }
            };
            if fits {
                self.seen.extend(places.into_iter().map(Option::unwrap_or_default));
                return magic;
            }
        }
    }

    /// The size of the attack tables of magic multiplication.
    pub(crate) fn multiplication_bytes(&self) -> usize {
        size_of_val(&*self.seen) + size_of_val(&self.lines) + size_of_val(&self.bishops)
    }

    /// Each ray ends at the first blocker, which a bit scan finds. Bits 127 and 0 are sentinels for
    /// no blocker.
    #[inline]
    pub(crate) fn by_rays(&self, from: u32, occupied: u128) -> u128 {
        let slot = from as usize & 127;
        let mut seen = 0;
        for step in 0..6 {
            let up = &self.rays[step];
            let blocker = (up[slot] & occupied | 1 << 127).trailing_zeros() as usize;
            seen |= up[slot] ^ up[blocker & 127];
            let down = &self.rays[step + 6];
            let blocker = (down[slot] & occupied | 1).ilog2() as usize;
            seen |= down[slot] ^ down[blocker & 127];
        }
        seen
    }

    /// One subtraction for both directions of a line.
    #[inline]
    pub(crate) fn by_difference(&self, from: u32, occupied: u128) -> u128 {
        let lines = &self.halves[from as usize & 127];
        lines[..6].iter().fold(0, |seen, &line| seen | difference(line, occupied))
    }

    /// One multiplication and one lookup for each line.
    #[inline]
    pub(crate) fn by_multiplication(&self, from: u32, occupied: u128) -> u128 {
        let lines = &self.lines[from as usize & 127];
        lines.iter().fold(0, |seen, line| seen | self.seen[line.index(occupied)])
    }

    /// One multiplication for all of the bishop's lines, subtraction for the rook's.
    #[inline]
    pub(crate) fn by_bishop_multiplication(&self, from: u32, occupied: u128) -> u128 {
        let slot = from as usize & 127;
        let bishop = self.seen[self.bishops[slot].index(occupied)];
        self.halves[slot][..3].iter().fold(bishop, |seen, &line| seen | difference(line, occupied))
    }
}

#[inline]
fn difference((lower, upper): (u128, u128), occupied: u128) -> u128 {
    let below = u128::MAX << (lower & occupied | 1).ilog2();
    let above = upper & occupied;
    let above = above & above.wrapping_neg();
    above.wrapping_mul(2).wrapping_add(below) & (lower | upper)
}

/// The relevant occupancy of lines: without the last cells, because a blocker there hides nothing.
fn inner(from: u32, steps: &[usize]) -> u128 {
    let mut cells = 0;
    for &step in steps {
        let (dx, dy) = STEPS[step];
        for direction in [(dx, dy), (-dx, -dy)] {
            let whole = ray(from, direction, 0);
            let towards_higher = direction == STEPS[step];
            let last = match whole {
                0 => 0,
                _ if towards_higher => 1 << whole.ilog2(),
                _ => whole & whole.wrapping_neg(),
            };
            cells |= whole ^ last;
        }
    }
    cells
}
