"""The paper's experiments: a grid of jobs, each trained and tested, with a report of all results."""
