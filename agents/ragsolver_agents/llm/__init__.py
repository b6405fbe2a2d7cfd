"""What the agents share in asking a language model: prompt files, fences, what is shown."""
