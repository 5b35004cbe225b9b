//! Numbers with a fraction as the BASICs of their time have them.

use super::words::Format;

/// Exponent, and 32 bits of which the first is set; `None` for what has no such form.
fn parts(v: f64) -> Option<(i32, u32)> {
    let v = v.abs();
    if v >= 4_294_967_296.0 || !v.is_finite() {
        return None;
    }
    let bits = |n: u64| 64 - n.leading_zeros() as i32;
    let exponent = match v >= 1.0 {
        true => bits(v as u64),
        false => (bits((v * 4_294_967_296.0 + 0.5) as u64) - 32).min(0),
    };
    if exponent == -32 {
        return None;
    }
    let mantissa = (v * f64::from(32 - exponent).exp2() + 0.5) as u64;
    Some((exponent, u32::try_from(mantissa).unwrap_or(u32::MAX)))
}

/// The bytes of a number; `None` where it is too large or too small.
pub fn bytes(format: Format, v: f64) -> Option<Vec<u8>> {
    if format == Format::Short {
        let bits = (v as f32).to_bits();
        let exponent = ((bits >> 23 & 0xff).wrapping_sub(64)) | (bits >> 24 & 0x80);
        return Some(vec![exponent as u8, (bits >> 7) as u8, (bits >> 15) as u8]);
    }
    if v == 0.0 {
        return Some(vec![0; 5]);
    }
    let (exponent, mantissa) = parts(v)?;
    // The sign is in the place of the bit that is always set.
    let sign = if v < 0.0 { 0x8000_0000 } else { 0 };
    let mut out = (mantissa & 0x7fff_ffff | sign).to_le_bytes().to_vec();
    out.push((exponent + 128) as u8);
    if format == Format::Microsoft {
        out.reverse();
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::{Format, bytes};

    #[test]
    fn numbers_have_five_bytes() {
        let of = |v| bytes(Format::Amstrad, v).unwrap();
        assert_eq!(of(1.0), [0, 0, 0, 0, 0x81]);
        assert_eq!(of(0.5), [0, 0, 0, 0, 0x80]);
        assert_eq!(of(-2.0), [0, 0, 0, 0x80, 0x82]);
        assert_eq!(of(0.0), [0; 5]);
        assert_eq!(bytes(Format::Amstrad, 1e12), None);
    }
}
