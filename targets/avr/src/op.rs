//! The operations of the AVR, one for each way the meaning differs.
//!
//! Branches and the setting and clearing of flags have an operation for each flag,
//! as they have a mnemonic for each. `X`, `Y`, `Z` at the end tell the pointer,
//! `Inc` and `Dec` what happens to it.
//!
//! Behind them are rows of operations, which the simulator makes of what stands in flash:
//! compilers and people write these often. No form of the table has one.

/// Gives all operations, then all rows, to a macro.
macro_rules! operations {
    ($then:ident) => {
        $then! {
            Nop,
            Movw,
            Muls,
            Mulsu,
            Fmul,
            Fmuls,
            Fmulsu,
            Cpc,
            Sbc,
            Add,
            Cpse,
            Cp,
            Sub,
            Adc,
            And,
            Eor,
            Or,
            Mov,
            Cpi,
            Sbci,
            Subi,
            Ori,
            Andi,
            Com,
            Neg,
            Swap,
            Inc,
            Dec,
            Asr,
            Lsr,
            Ror,
            Adiw,
            Sbiw,
            Mul,
            Des,
            Ldi,
            Lds,
            Sts,
            LdX,
            LdXInc,
            LdXDec,
            LdY,
            LdYInc,
            LdYDec,
            LdZ,
            LdZInc,
            LdZDec,
            StX,
            StXInc,
            StXDec,
            StY,
            StYInc,
            StYDec,
            StZ,
            StZInc,
            StZDec,
            Lpm,
            LpmInc,
            Elpm,
            ElpmInc,
            Spm,
            SpmInc,
            In,
            Out,
            Push,
            Pop,
            Xch,
            Las,
            Lac,
            Lat,
            Rjmp,
            Jmp,
            Ijmp,
            Eijmp,
            Rcall,
            Call,
            Icall,
            Eicall,
            Ret,
            Reti,
            Sbrc,
            Sbrs,
            Sbic,
            Sbis,
            Brcs,
            Breq,
            Brmi,
            Brvs,
            Brlt,
            Brhs,
            Brts,
            Brie,
            Brcc,
            Brne,
            Brpl,
            Brvc,
            Brge,
            Brhc,
            Brtc,
            Brid,
            Sec,
            Sez,
            Sen,
            Sev,
            Ses,
            Seh,
            Set,
            Sei,
            Clc,
            Clz,
            Cln,
            Clv,
            Cls,
            Clh,
            Clt,
            Cli,
            Sbi,
            Cbi,
            Bst,
            Bld,
            Break,
            Sleep,
            Wdr,
            Undefined,
            ;
            // Sums.
            Add4 = Add Adc Adc Adc;
            Add3 = Add Adc Adc;
            Add2 = Add Adc;
            Adc4 = Adc Adc Adc Adc;
            Adc3 = Adc Adc Adc;
            Adc2 = Adc Adc;
            AdcDec = Adc Dec;
            // Differences.
            Sub4 = Sub Sbc Sbc Sbc;
            Sub2 = Sub Sbc;
            Sbc2 = Sbc Sbc;
            Subi4 = Subi Sbci Sbci Sbci;
            Subi2Brne = Subi Sbci Brne;
            Subi2Brcc = Subi Sbci Brcc;
            Subi2 = Subi Sbci;
            Sbci2 = Sbci Sbci;
            // Comparisons.
            Cp4Brcs = Cp Cpc Cpc Cpc Brcs;
            Cp4 = Cp Cpc Cpc Cpc;
            Cp2Brne = Cp Cpc Brne;
            Cp2Brcs = Cp Cpc Brcs;
            Cp2 = Cp Cpc;
            CpBrne = Cp Brne;
            CpBrcs = Cp Brcs;
            Cpi4 = Cpi Cpc Cpc Cpc;
            Cpi2Brne = Cpi Cpc Brne;
            Cpi2 = Cpi Cpc;
            CpiBreq = Cpi Breq;
            CpiBrne = Cpi Brne;
            CpiBrcs = Cpi Brcs;
            CpiBrcc = Cpi Brcc;
            Cpc2 = Cpc Cpc;
            CpcBreq = Cpc Breq;
            CpcBrne = Cpc Brne;
            CpcBrcs = Cpc Brcs;
            CpcBrcc = Cpc Brcc;
            CpcBrlt = Cpc Brlt;
            CpcBrge = Cpc Brge;
            // Counts.
            DecBrne = Dec Brne;
            DecBrpl = Dec Brpl;
            SubiBrne = Subi Brne;
            SubiBrcs = Subi Brcs;
            SbciBrne = Sbci Brne;
            SbciBrcc = Sbci Brcc;
            SbiwBrne = Sbiw Brne;
            // Shifts.
            Lsr4 = Lsr Ror Ror Ror;
            Lsr2 = Lsr Ror;
            Asr4 = Asr Ror Ror Ror;
            Asr2 = Asr Ror;
            Ror4 = Ror Ror Ror Ror;
            Ror3 = Ror Ror Ror;
            RorDecBrne = Ror Dec Brne;
            Ror2 = Ror Ror;
            // Copies.
            Movw3 = Movw Movw Movw;
            Movw2 = Movw Movw;
            MovwSubi = Movw Subi;
            MovwAdd = Movw Add;
            Mov2 = Mov Mov;
            Ldi4 = Ldi Ldi Ldi Ldi;
            Ldi2 = Ldi Ldi;
            LdiEor = Ldi Eor;
            // Bits.
            And4 = And And And And;
            Or4 = Or Or Or Or;
            Or2 = Or Or;
            Eor4 = Eor Eor Eor Eor;
            Eor2 = Eor Eor;
            AndiBreq = Andi Breq;
            // Memory.
            Lds4 = Lds Lds Lds Lds;
            Lds2 = Lds Lds;
            Sts4 = Sts Sts Sts Sts;
            Sts2 = Sts Sts;
            LdY4 = LdY LdY LdY LdY;
            LdY2 = LdY LdY;
            StY4 = StY StY StY StY;
            StY2 = StY StY;
            LdZ4 = LdZ LdZ LdZ LdZ;
            LdZ2 = LdZ LdZ;
            StZ4 = StZ StZ StZ StZ;
            StZ2 = StZ StZ;
            LpmInc2 = LpmInc LpmInc;
            LdZIncStXInc = LdZInc StXInc;
            LdXIncStZInc = LdXInc StZInc;
            Push4 = Push Push Push Push;
            Push2 = Push Push;
            Pop4 = Pop Pop Pop Pop;
            Pop2 = Pop Pop;
            // Products.
            MulAdd = Mul Add;
            MulMovw = Mul Movw;
        }
    };
}
pub(crate) use operations;

macro_rules! ops {
    ($($name:ident,)* ; $($row:ident = $first:ident $($rest:ident)+;)*) => {
        /// An operation; [`crate::table`] names one in each row.
        #[allow(missing_docs)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Op {
            $($name,)*
            $($row,)*
        }

        impl Op {
            /// All of them but the rows, in order of their numbers.
            pub const ALL: &[Op] = &[$(Op::$name,)*];

            /// The rows, and what they are made of.
            pub const ROWS: &[(Op, &[Op])] = &[$((Op::$row, &[Op::$first, $(Op::$rest),+]),)*];

            /// The operation, of a row its first.
            #[must_use]
            pub const fn first(self) -> Op {
                match self {
                    $(Op::$row => Op::$first,)*
                    one => one,
                }
            }
        }

        /// Any row, as a pattern.
        macro_rules! any_row {
            () => { $(Op::$row)|* };
        }
        pub(crate) use any_row;
    };
}

operations!(ops);
