 jmx 5
