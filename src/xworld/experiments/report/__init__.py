"""The report: tables, figures and conclusions, all computed from result files."""
