//! Value domains: what the meaning of an instruction is computed in.
