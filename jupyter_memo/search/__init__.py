"""Reading: arms over the store, and the one loop that turns their hits into a response."""
