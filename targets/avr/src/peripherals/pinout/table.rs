//! Which pin has which function, from the data sheets: pin configuration and
//! alternate functions of the ports.

/// Devices by name, without `AT` and the letters behind it, and the functions of
/// their pins. Timers are `OC0A`, `T0`, `ICP1`; external interrupts
/// `INT0`; `PCINT8:B0-3` are PCINT8 to 11 at PB0 to PB3.
pub(super) const PINOUTS: &[(&[&str], &str)] = &[
    (
        &["90S8515", "90S4414"],
        "OC1A:D5 T0:B0 T1:B1 AIN0:B2 AIN1:B3 SS:B4 MOSI:B5 MISO:B6 SCK:B7 RXD0:D0 TXD0:D1 \
         INT0:D2 INT1:D3",
    ),
    (
        &["90S8535", "90S4434"],
        "OC1A:D5 OC1B:D4 OC2A:D7 T0:B0 T1:B1 ICP1:D6 AIN0:B2 AIN1:B3 SS:B4 MOSI:B5 MISO:B6 \
         SCK:B7 RXD0:D0 TXD0:D1 INT0:D2 INT1:D3",
    ),
    (
        &["90S2313"],
        "OC1A:B3 T0:D4 T1:D5 ICP1:D6 AIN0:B0 AIN1:B1 RXD0:D0 TXD0:D1 INT0:D2 INT1:D3",
    ),
    (
        &["90S4433", "90S2333"],
        "OC1A:B1 T0:D4 T1:D5 ICP1:B0 AIN0:D6 AIN1:D7 SS:B2 MOSI:B3 MISO:B4 SCK:B5 RXD0:D0 \
         TXD0:D1 INT0:D2 INT1:D3",
    ),
    (&["90S1200"], "T0:D4 AIN0:B0 AIN1:B1 INT0:D2"),
    (&["90S2323", "90S2343"], "T0:B2 INT0:B1"),
    (
        &["mega8515"],
        "OC0A:B0 OC1A:D5 OC1B:E2 T0:B0 T1:B1 ICP1:E0 AIN0:B2 AIN1:B3 SS:B4 MOSI:B5 MISO:B6 \
         SCK:B7 RXD0:D0 TXD0:D1 INT0:D2 INT1:D3 INT2:E0",
    ),
    (
        &["mega8535", "mega16", "mega32", "mega163", "mega323"],
        MEGA16,
    ),
    (
        &["mega162"],
        "OC0A:B0 OC1A:D5 OC1B:E2 OC2A:B1 OC3A:D4 OC3B:B4 T0:B0 T1:B1 ICP1:E0 ICP3:D3 AIN0:B2 \
         AIN1:B3 SS:B4 MOSI:B5 MISO:B6 SCK:B7 RXD0:D0 TXD0:D1 RXD1:B2 TXD1:B3 INT0:D2 INT1:D3 \
         INT2:E0 PCINT0:A0-7 PCINT8:C0-7",
    ),
    (
        &["mega164", "mega324", "mega644", "mega1284"],
        "OC0A:B3 OC0B:B4 OC1A:D5 OC1B:D4 OC2A:D7 OC2B:D6 OC3A:B6 OC3B:B7 T0:B0 T1:B1 T3:D0 \
         ICP1:D6 ICP3:B5 AIN0:B2 AIN1:B3 SS:B4 MOSI:B5 MISO:B6 SCK:B7 RXD0:D0 TXD0:D1 RXD1:D2 \
         TXD1:D3 INT0:D2 INT1:D3 INT2:B2 SCL:C0 SDA:C1 PCINT0:A0-7 PCINT8:B0-7 PCINT16:C0-7 \
         PCINT24:D0-7",
    ),
    (
        &["mega640", "mega1280", "mega1281", "mega2560", "mega2561"],
        "OC0A:B7 OC0B:G5 OC1A:B5 OC1B:B6 OC1C:B7 OC2A:B4 OC2B:H6 OC3A:E3 OC3B:E4 OC3C:E5 \
         OC4A:H3 OC4B:H4 OC4C:H5 OC5A:L3 OC5B:L4 OC5C:L5 T0:D7 T1:D6 T3:E6 T4:H7 T5:L2 ICP1:D4 \
         ICP3:E7 ICP4:L0 ICP5:L1 AIN0:E2 AIN1:E3 SS:B0 SCK:B1 MOSI:B2 MISO:B3 RXD0:E0 TXD0:E1 \
         RXD1:D2 TXD1:D3 RXD2:H0 TXD2:H1 RXD3:J0 TXD3:J1 INT0:D0 INT1:D1 INT2:D2 INT3:D3 \
         INT4:E4 INT5:E5 INT6:E6 INT7:E7 SCL:D0 SDA:D1 PCINT0:B0-7 PCINT8:E0-0 PCINT9:J0-6 \
         PCINT16:K0-7",
    ),
    (
        &[
            "mega64", "mega128", "mega103", "90CAN32", "90CAN64", "90CAN128",
        ],
        "OC0A:B4 OC1A:B5 OC1B:B6 OC1C:B7 OC2A:B7 OC3A:E3 OC3B:E4 OC3C:E5 T1:D6 T2:D7 T3:E6 \
         ICP1:D4 ICP3:E7 AIN0:E2 AIN1:E3 SS:B0 SCK:B1 MOSI:B2 MISO:B3 RXD0:E0 TXD0:E1 RXD1:D2 \
         TXD1:D3 INT0:D0 INT1:D1 INT2:D2 INT3:D3 INT4:E4 INT5:E5 INT6:E6 INT7:E7 SCL:D0 SDA:D1",
    ),
    (
        &["mega16U4", "mega32U4"],
        "OC0A:B7 OC0B:D0 OC1A:B5 OC1B:B6 OC1C:B7 OC3A:C6 T0:D7 T1:D6 ICP1:D4 ICP3:C7 AIN0:E6 \
         SS:B0 SCK:B1 MOSI:B2 MISO:B3 RXD1:D2 TXD1:D3 INT0:D0 INT1:D1 INT2:D2 INT3:D3 INT6:E6 \
         SCL:D0 SDA:D1 PCINT0:B0-7",
    ),
    (&["mega48", "mega88", "mega168", "mega328"], MEGA48),
    (
        &[
            "mega165", "mega169", "mega325", "mega329", "mega645", "mega649",
        ],
        "OC0A:B4 OC1A:B5 OC1B:B6 OC2A:B7 T0:G4 T1:G3 ICP1:D0 AIN0:E2 AIN1:E3 SS:B0 SCK:B1 \
         MOSI:B2 MISO:B3 RXD0:E0 TXD0:E1 INT0:D1 SCL:E4 DO:E6 SDA:E5 PCINT0:E0-7 PCINT8:B0-7",
    ),
    (
        &["mega161"],
        "T0:B0 T1:B1 ICP1:E0 OC0A:B0 OC1A:D5 OC1B:E2 OC2A:B1 AIN0:B2 AIN1:B3 \
         SS:B4 MOSI:B5 MISO:B6 SCK:B7 RXD0:D0 TXD0:D1 RXD1:B2 TXD1:B3 INT0:D2 INT1:D3 INT2:E0",
    ),
    (
        &["mega8"],
        "OC1A:B1 OC1B:B2 OC2A:B3 T0:D4 T1:D5 ICP1:B0 AIN0:D6 AIN1:D7 SS:B2 MOSI:B3 MISO:B4 \
         SCK:B5 RXD0:D0 TXD0:D1 INT0:D2 INT1:D3 SDA:C4 SCL:C5",
    ),
    (
        &["tiny24", "tiny44", "tiny84"],
        "OC0A:B2 OC0B:A7 OC1A:A6 OC1B:A5 T0:A3 T1:A4 ICP1:A7 INT0:B2 AIN0:A1 AIN1:A2 SDA:A6 \
         DO:A5 SCL:A4 PCINT0:A0-7 PCINT8:B0-3",
    ),
    (
        &["tiny25", "tiny45", "tiny85"],
        "OC0A:B0 OC0B:B1 OC1A:B1 OC1B:B4 T0:B2 INT0:B2 AIN0:B0 AIN1:B1 SDA:B0 DO:B1 SCL:B2 \
         PCINT0:B0-5",
    ),
    (
        &["tiny2313", "tiny4313"],
        "OC0A:B2 OC0B:D5 OC1A:B3 OC1B:B4 T0:D4 T1:D5 ICP1:D6 AIN0:B0 AIN1:B1 RXD0:D0 TXD0:D1 \
         INT0:D2 INT1:D3 SDA:B5 DO:B6 SCL:B7 PCINT0:B0-7 PCINT8:A0-2 PCINT11:D0-6",
    ),
    (
        &["tiny13"],
        "OC0A:B0 OC0B:B1 T0:B2 INT0:B1 AIN0:B0 AIN1:B1 PCINT0:B0-5",
    ),
    (
        &["tiny26"],
        "OC1A:B1 OC1B:B3 T0:B6 INT0:B6 AIN0:A6 AIN1:A7 SDA:B0 DO:B1 SCL:B2",
    ),
    (
        &["tiny11", "tiny12", "tiny15"],
        "INT0:B1 T0:B2 OC1A:B1 AIN0:B0 AIN1:B1",
    ),
    (
        &["tiny48", "tiny88"],
        "OC1A:B1 OC1B:B2 T0:D4 T1:D5 ICP1:B0 AIN0:D6 AIN1:D7 SS:B2 MOSI:B3 MISO:B4 SCK:B5 \
         INT0:D2 INT1:D3 SDA:C4 SCL:C5 PCINT0:B0-7 PCINT8:C0-7 PCINT16:D0-7",
    ),
];

const MEGA16: &str = "OC0A:B3 OC1A:D5 OC1B:D4 OC2A:D7 T0:B0 T1:B1 ICP1:D6 AIN0:B2 AIN1:B3 SS:B4 \
     MOSI:B5 MISO:B6 SCK:B7 RXD0:D0 TXD0:D1 INT0:D2 INT1:D3 INT2:B2 SCL:C0 SDA:C1";

const MEGA48: &str = "OC0A:D6 OC0B:D5 OC1A:B1 OC1B:B2 OC2A:B3 OC2B:D3 T0:D4 T1:D5 ICP1:B0 \
     AIN0:D6 AIN1:D7 SS:B2 MOSI:B3 MISO:B4 SCK:B5 RXD0:D0 TXD0:D1 INT0:D2 INT1:D3 SDA:C4 SCL:C5 \
     PCINT0:B0-7 PCINT8:C0-6 PCINT16:D0-7";
