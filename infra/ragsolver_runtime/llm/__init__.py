"""Language models: providers, one counted and recorded call, limits and prices."""
