"""The table of all parts that a preset can name: (kind, name) -> where it lies and what it needs. Imports none of them.

A part that several engines can run has a line for each: ``NAME`` for ONNX Runtime, ``NAME/torch`` for torch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """Where a part lies, which packages of which extra it needs, and which model."""

    target: str
    extra: str = ""
    packages: tuple[str, ...] = ()
    model: str = ""


_TORCH = ("torch", "transformers", "tokenizers")
_GRAMMARS = (
    *("tree_sitter", "tree_sitter_c", "tree_sitter_cpp", "tree_sitter_go", "tree_sitter_java"),
    *("tree_sitter_javascript", "tree_sitter_rust", "tree_sitter_typescript"),
)
_PARSER = "en-core-web-sm-parser"
_SUMY = Part("gliding.backends.sumy:SumyExtractor", "sumy", ("sumy",))

TABLE: Mapping[tuple[str, str], Part] = {
    ("embed", "minilm-l6-v2"): Part(
        "gliding.backends.onnx:OnnxEmbedder", "onnx", ("onnxruntime", "tokenizers"), "minilm-l6-v2"
    ),
    ("embed", "minilm-l6-v2/torch"): Part("gliding.backends.torch:TorchEmbedder", "torch", _TORCH, "minilm-l6-v2-fp32"),
    ("entities", "rules"): Part("gliding.facts:RuleEntities"),
    ("entities", "spacy"): Part("gliding.backends.spacy:SpacyEntities", "spacy", ("spacy",), "en-core-web-sm"),
    ("index", "exact"): Part("gliding.backends.exact:ExactIndex"),
    ("index", "faiss"): Part("gliding.backends.faiss:FaissIndex", "faiss", ("faiss",)),
    ("extract", "lexrank"): Part("gliding.tiers.lexrank:LexRank"),
    ("extract", "clusters"): Part("gliding.tiers.clusters:ClusterExtractor"),
    **{
        ("extract", f"sumy:{method}"): _SUMY
        for method in ("edmundson", "kl", "lex-rank", "lsa", "luhn", "reduction", "sum-basic", "text-rank")
    },
    ("trim", "rules"): Part("gliding.tiers.trim:RuleTrimmer"),
    ("rewrite", "syntax"): Part("gliding.tiers.shorten:SyntacticRewriter", "spacy", ("spacy",), _PARSER),
    ("rewrite", "t5"): Part("gliding.backends.t5:OnnxT5", "onnx", ("onnxruntime", "tokenizers")),
    ("rewrite", "t5/torch"): Part("gliding.backends.t5_torch:TorchT5", "torch", _TORCH),
    ("parse", "spacy"): Part("gliding.backends.spacy:SpacyParser", "spacy", ("spacy",), _PARSER),
    ("trees", "tree-sitter"): Part("gliding.backends.treesitter:TreeSitter", "code", _GRAMMARS),
    ("cache", "sqlite"): Part("gliding.backends.sqlite:SqliteCache"),
    ("cache", ""): Part("gliding.backends.caching:NullCache"),
}
