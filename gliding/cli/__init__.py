"""The command line: a typer app, one file a command."""
