        .error this stops
