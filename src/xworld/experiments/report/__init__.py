"""The report: tables, figures and sentences, all computed from result files."""
