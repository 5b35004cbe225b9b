//! Reports on an image: sizes, budgets, listing, map.
