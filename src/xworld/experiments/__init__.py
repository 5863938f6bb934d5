"""The paper's experiments as one grid of jobs: trained, tested, kept in files, and told in a report."""
