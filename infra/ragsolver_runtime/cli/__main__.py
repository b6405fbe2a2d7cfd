"""`python -m ragsolver_runtime.cli`: the command line, for child processes."""

from ragsolver_runtime.cli.main import main

if __name__ == "__main__":
    main()
