 edup
