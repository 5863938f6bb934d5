"""A page in the browser: build a map, say something, and watch what the agent makes of it."""
