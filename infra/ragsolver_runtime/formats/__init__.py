"""How datasets publish their problems, one module a layout."""
