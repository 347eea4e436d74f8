"""The only package that imports heavy libraries: each backend loads its own, when it is first needed."""
