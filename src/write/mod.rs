//! File writers over an image.
