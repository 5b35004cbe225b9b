 default
