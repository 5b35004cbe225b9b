//! The data files, each a family of devices; a test checks that none is missing.

/// Names and texts.
pub(super) const FILES: &[(&str, &str)] = &[
    ("at86rf401", include_str!("../../devices/at86rf401.avr")),
    ("at90can", include_str!("../../devices/at90can.avr")),
    ("at90pwm2-3", include_str!("../../devices/at90pwm2-3.avr")),
    (
        "at90pwm81-161",
        include_str!("../../devices/at90pwm81-161.avr"),
    ),
    ("at90s1200", include_str!("../../devices/at90s1200.avr")),
    ("at90s2313", include_str!("../../devices/at90s2313.avr")),
    (
        "at90s2323-2343",
        include_str!("../../devices/at90s2323-2343.avr"),
    ),
    (
        "at90s2333-4433",
        include_str!("../../devices/at90s2333-4433.avr"),
    ),
    (
        "at90s4414-8515",
        include_str!("../../devices/at90s4414-8515.avr"),
    ),
    (
        "at90s4434-8535",
        include_str!("../../devices/at90s4434-8535.avr"),
    ),
    ("at90scr100", include_str!("../../devices/at90scr100.avr")),
    (
        "ata5272-6617",
        include_str!("../../devices/ata5272-6617.avr"),
    ),
    (
        "ata5700-5702",
        include_str!("../../devices/ata5700-5702.avr"),
    ),
    (
        "ata5781-8515",
        include_str!("../../devices/ata5781-8515.avr"),
    ),
    (
        "ata5787-5835",
        include_str!("../../devices/ata5787-5835.avr"),
    ),
    (
        "ata5790-5795",
        include_str!("../../devices/ata5790-5795.avr"),
    ),
    ("ata6285", include_str!("../../devices/ata6285.avr")),
    ("ata6289", include_str!("../../devices/ata6289.avr")),
    (
        "ata6612-6614",
        include_str!("../../devices/ata6612-6614.avr"),
    ),
    ("atmega-hva", include_str!("../../devices/atmega-hva.avr")),
    ("atmega-hvb", include_str!("../../devices/atmega-hvb.avr")),
    (
        "atmega-m1-c1",
        include_str!("../../devices/atmega-m1-c1.avr"),
    ),
    ("atmega-rf", include_str!("../../devices/atmega-rf.avr")),
    ("atmega103", include_str!("../../devices/atmega103.avr")),
    ("atmega161", include_str!("../../devices/atmega161.avr")),
    ("atmega162", include_str!("../../devices/atmega162.avr")),
    ("atmega163", include_str!("../../devices/atmega163.avr")),
    (
        "atmega164-1284",
        include_str!("../../devices/atmega164-1284.avr"),
    ),
    (
        "atmega165-169",
        include_str!("../../devices/atmega165-169.avr"),
    ),
    (
        "atmega165-6490",
        include_str!("../../devices/atmega165-6490.avr"),
    ),
    (
        "atmega16hva2",
        include_str!("../../devices/atmega16hva2.avr"),
    ),
    ("atmega323", include_str!("../../devices/atmega323.avr")),
    ("atmega324pb", include_str!("../../devices/atmega324pb.avr")),
    ("atmega328pb", include_str!("../../devices/atmega328pb.avr")),
    ("atmega32u6", include_str!("../../devices/atmega32u6.avr")),
    ("atmega406", include_str!("../../devices/atmega406.avr")),
    (
        "atmega48-328",
        include_str!("../../devices/atmega48-328.avr"),
    ),
    (
        "atmega64-128",
        include_str!("../../devices/atmega64-128.avr"),
    ),
    (
        "atmega640-2561",
        include_str!("../../devices/atmega640-2561.avr"),
    ),
    ("atmega64hve", include_str!("../../devices/atmega64hve.avr")),
    (
        "atmega64hve2",
        include_str!("../../devices/atmega64hve2.avr"),
    ),
    ("atmega8-32", include_str!("../../devices/atmega8-32.avr")),
    (
        "atmega808-4809",
        include_str!("../../devices/atmega808-4809.avr"),
    ),
    ("atmega8515", include_str!("../../devices/atmega8515.avr")),
    ("attiny-0", include_str!("../../devices/attiny-0.avr")),
    ("attiny-1", include_str!("../../devices/attiny-1.avr")),
    ("attiny-2", include_str!("../../devices/attiny-2.avr")),
    (
        "attiny102-104",
        include_str!("../../devices/attiny102-104.avr"),
    ),
    ("attiny11-12", include_str!("../../devices/attiny11-12.avr")),
    ("attiny13", include_str!("../../devices/attiny13.avr")),
    ("attiny15", include_str!("../../devices/attiny15.avr")),
    ("attiny1634", include_str!("../../devices/attiny1634.avr")),
    ("attiny20-40", include_str!("../../devices/attiny20-40.avr")),
    (
        "attiny2313-4313",
        include_str!("../../devices/attiny2313-4313.avr"),
    ),
    ("attiny24-84", include_str!("../../devices/attiny24-84.avr")),
    ("attiny25-85", include_str!("../../devices/attiny25-85.avr")),
    ("attiny26", include_str!("../../devices/attiny26.avr")),
    (
        "attiny261-861",
        include_str!("../../devices/attiny261-861.avr"),
    ),
    ("attiny28", include_str!("../../devices/attiny28.avr")),
    ("attiny4-10", include_str!("../../devices/attiny4-10.avr")),
    (
        "attiny441-841",
        include_str!("../../devices/attiny441-841.avr"),
    ),
    ("attiny48-88", include_str!("../../devices/attiny48-88.avr")),
    ("attiny828", include_str!("../../devices/attiny828.avr")),
    (
        "attiny87-167",
        include_str!("../../devices/attiny87-167.avr"),
    ),
    ("atxmega-e5", include_str!("../../devices/atxmega-e5.avr")),
    ("atxmega", include_str!("../../devices/atxmega.avr")),
    ("avr-da", include_str!("../../devices/avr-da.avr")),
    ("avr-db64", include_str!("../../devices/avr-db64.avr")),
    ("avr-dd", include_str!("../../devices/avr-dd.avr")),
    ("avr-du", include_str!("../../devices/avr-du.avr")),
    ("avr-ea", include_str!("../../devices/avr-ea.avr")),
    ("avr-eb", include_str!("../../devices/avr-eb.avr")),
    ("avr128db", include_str!("../../devices/avr128db.avr")),
    ("usb-u2", include_str!("../../devices/usb-u2.avr")),
    ("usb-u4", include_str!("../../devices/usb-u4.avr")),
];
