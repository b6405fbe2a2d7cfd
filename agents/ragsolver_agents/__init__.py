"""Who decides: planner, generator, formalizer and critic."""
