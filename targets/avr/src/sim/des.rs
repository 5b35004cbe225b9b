//! DES, as the XMEGA does a round of it in one instruction.
//!
//! Each round undoes the initial permutation at its end, so that r0 to r7 hold a
//! block between rounds; the key in r8 to r15 stays. Tables: FIPS 46-3, whose bit 1
//! is the highest.

const ROTATIONS: [u32; 16] = [1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1];

#[rustfmt::skip]
const KEY: [u8; 56] = [
    57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18,
    10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36,
    63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22,
    14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12, 4,
];

#[rustfmt::skip]
const ROUND_KEY: [u8; 48] = [
    14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2,
    41, 52, 31, 37, 47, 55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
];

#[rustfmt::skip]
const P: [u8; 32] = [
    16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10,
    2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4, 25,
];

#[rustfmt::skip]
const S: [[u8; 64]; 8] = [
    [14, 4, 13, 1, 2, 15, 11, 8, 3, 10, 6, 12, 5, 9, 0, 7,
     0, 15, 7, 4, 14, 2, 13, 1, 10, 6, 12, 11, 9, 5, 3, 8,
     4, 1, 14, 8, 13, 6, 2, 11, 15, 12, 9, 7, 3, 10, 5, 0,
     15, 12, 8, 2, 4, 9, 1, 7, 5, 11, 3, 14, 10, 0, 6, 13],
    [15, 1, 8, 14, 6, 11, 3, 4, 9, 7, 2, 13, 12, 0, 5, 10,
     3, 13, 4, 7, 15, 2, 8, 14, 12, 0, 1, 10, 6, 9, 11, 5,
     0, 14, 7, 11, 10, 4, 13, 1, 5, 8, 12, 6, 9, 3, 2, 15,
     13, 8, 10, 1, 3, 15, 4, 2, 11, 6, 7, 12, 0, 5, 14, 9],
    [10, 0, 9, 14, 6, 3, 15, 5, 1, 13, 12, 7, 11, 4, 2, 8,
     13, 7, 0, 9, 3, 4, 6, 10, 2, 8, 5, 14, 12, 11, 15, 1,
     13, 6, 4, 9, 8, 15, 3, 0, 11, 1, 2, 12, 5, 10, 14, 7,
     1, 10, 13, 0, 6, 9, 8, 7, 4, 15, 14, 3, 11, 5, 2, 12],
    [7, 13, 14, 3, 0, 6, 9, 10, 1, 2, 8, 5, 11, 12, 4, 15,
     13, 8, 11, 5, 6, 15, 0, 3, 4, 7, 2, 12, 1, 10, 14, 9,
     10, 6, 9, 0, 12, 11, 7, 13, 15, 1, 3, 14, 5, 2, 8, 4,
     3, 15, 0, 6, 10, 1, 13, 8, 9, 4, 5, 11, 12, 7, 2, 14],
    [2, 12, 4, 1, 7, 10, 11, 6, 8, 5, 3, 15, 13, 0, 14, 9,
     14, 11, 2, 12, 4, 7, 13, 1, 5, 0, 15, 10, 3, 9, 8, 6,
     4, 2, 1, 11, 10, 13, 7, 8, 15, 9, 12, 5, 6, 3, 0, 14,
     11, 8, 12, 7, 1, 14, 2, 13, 6, 15, 0, 9, 10, 4, 5, 3],
    [12, 1, 10, 15, 9, 2, 6, 8, 0, 13, 3, 4, 14, 7, 5, 11,
     10, 15, 4, 2, 7, 12, 9, 5, 6, 1, 13, 14, 0, 11, 3, 8,
     9, 14, 15, 5, 2, 8, 12, 3, 7, 0, 4, 10, 1, 13, 11, 6,
     4, 3, 2, 12, 9, 5, 15, 10, 11, 14, 1, 7, 6, 0, 8, 13],
    [4, 11, 2, 14, 15, 0, 8, 13, 3, 12, 9, 7, 5, 10, 6, 1,
     13, 0, 11, 7, 4, 9, 1, 10, 14, 3, 5, 12, 2, 15, 8, 6,
     1, 4, 11, 13, 12, 3, 7, 14, 10, 15, 6, 8, 0, 5, 9, 2,
     6, 11, 13, 8, 1, 4, 10, 7, 9, 5, 0, 15, 14, 2, 3, 12],
    [13, 2, 8, 4, 6, 15, 11, 1, 10, 9, 3, 14, 5, 0, 12, 7,
     1, 15, 13, 8, 10, 3, 7, 4, 12, 5, 6, 11, 0, 14, 9, 2,
     7, 11, 4, 1, 9, 12, 14, 2, 0, 6, 10, 13, 15, 3, 5, 8,
     2, 1, 14, 7, 4, 10, 8, 13, 15, 12, 9, 0, 3, 5, 6, 11],
];

/// Bits of a number of `width` bits in another order.
fn permute(value: u64, width: u32, order: impl IntoIterator<Item = u32>) -> u64 {
    let bits = order.into_iter().map(|n| value >> (width - n) & 1);
    bits.fold(0, |sum, bit| sum << 1 | bit)
}

/// The initial permutation: bits 58, 50, ... of eight rows.
fn initial() -> impl Iterator<Item = u32> {
    let rows = [58u32, 60, 62, 64, 57, 59, 61, 63].into_iter();
    rows.flat_map(|first| (0..8).map(move |k| first - 8 * k))
}

/// What undoes it.
fn last(value: u64) -> u64 {
    let order = initial().enumerate();
    order.fold(0, |sum, (k, n)| sum | (value >> (63 - k) & 1) << (64 - n))
}

/// The key of a round, 0 to 15.
fn round_key(key: u64, round: u8) -> u64 {
    let both = permute(key, 64, KEY.map(u32::from));
    let turns: u32 = ROTATIONS[..=usize::from(round & 15)].iter().sum();
    let turn = |half: u64| (half << turns | half >> (28 - turns)) & 0xfff_ffff;
    let (left, right) = (turn(both >> 28), turn(both & 0xfff_ffff));
    permute(left << 28 | right, 56, ROUND_KEY.map(u32::from))
}

/// What a round mixes into the other half.
fn mix(half: u32, key: u64) -> u32 {
    let mut out = 0;
    for (n, table) in S.iter().enumerate() {
        // Six bits around four of the half, which is a ring.
        let six = half.rotate_left(4 * n as u32 + 5) as u64 & 0x3f;
        let six = six ^ (key >> (42 - 6 * n) & 0x3f);
        let (row, column) = (six >> 4 & 2 | six & 1, six >> 1 & 15);
        out = out << 4 | u64::from(table[(row * 16 + column) as usize]);
    }
    permute(out, 32, P.map(u32::from)) as u32
}

/// DES K on r0 to r7 with the key in r8 to r15.
pub(super) fn round(registers: &mut [u8], round: u8, decrypts: bool) {
    let block = |at: usize| {
        let bytes: [u8; 8] = registers[at..at + 8].try_into().expect("eight");
        u64::from_le_bytes(bytes)
    };
    let data = permute(block(0), 64, initial());
    let round = round & 15;
    let key = round_key(block(8), if decrypts { 15 - round } else { round });
    let (left, right) = ((data >> 32) as u32, data as u32);
    let mixed = left ^ mix(right, key);
    // The halves change places but for the last time.
    let (left, right) = if round == 15 {
        (mixed, right)
    } else {
        (right, mixed)
    };
    let out = last(u64::from(left) << 32 | u64::from(right));
    registers[..8].copy_from_slice(&out.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::round;

    #[test]
    fn a_block_of_the_literature() {
        let (plain, key) = (0x0123_4567_89ab_cdefu64, 0x1334_5779_9bbc_dff1u64);
        let mut registers = [0; 32];
        registers[..8].copy_from_slice(&plain.to_le_bytes());
        registers[8..16].copy_from_slice(&key.to_le_bytes());
        for k in 0..16 {
            round(&mut registers, k, false);
        }
        let cipher = 0x85e8_1354_0f0a_b405u64.to_le_bytes();
        assert_eq!(registers[..8], cipher);
        for k in 0..16 {
            round(&mut registers, k, true);
        }
        assert_eq!(registers[..8], plain.to_le_bytes());
        assert_eq!(registers[8..16], key.to_le_bytes());
    }
}
