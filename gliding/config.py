"""The schema of a preset, on one page. A preset is a TOML file in ``pipelines/``; each section is one part of the flow.

A section's ``use`` names a part in ``registry.py``; its other keys are that part's arguments. Everything is frozen and
an unknown key is an error, so a misspelt setting never passes silently.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class TokensConfig(_Section):
    """Which tokenizer counts: ``o200k_base``, ``cl100k_base``, ``chars``, ``words`` or a ``tokenizer.json``'s path."""

    use: str = "o200k_base"


class SegmentConfig(_Section):
    """How documents are cut. A sentence longer than ``max_chars`` characters is cut at a clause or a word."""

    max_chars: int = Field(default=400, ge=40)


class EmbedConfig(_Section):
    """The embedder; an empty ``use`` means no dense signal. ``share`` of the text is embedded sentence by sentence."""

    use: str = ""
    engine: Literal["onnx", "torch"] = "onnx"
    device: Literal["auto", "cpu", "cuda"] = Field(default="auto", description="of the engine torch")
    threads: int = Field(default=0, ge=0, description="0: as many as the machine has cores")
    segment_pieces: int = Field(default=64, ge=8, le=64, description="word pieces of a segment's vector")
    share: float = Field(default=0.15, ge=0.0, le=1.0, description="of the text, by characters, sentences that lead")


class EntitiesConfig(_Section):
    """The entity extractor: ``rules`` or ``spacy`` (names by spaCy beside the rules)."""

    use: str = "rules"


class IndexConfig(_Section):
    """The vector index: ``exact`` (numpy) or ``faiss``. ``hits`` segments join the lexical candidates."""

    use: str = "exact"
    hits: int = Field(default=8, ge=0)


class ExtractConfig(_Section):
    """The query-free extractor: ``lexrank``, ``clusters`` or ``sumy:NAME`` with the name of a summariser of sumy."""

    use: str = "lexrank"


class TrimConfig(_Section):
    """The trimmer: ``rules``, or empty for verbatim output only."""

    use: str = "rules"


class RewriteConfig(_Section):
    """The third tier: ``t5``, ``syntax`` (along spaCy's parse), or empty for none.

    ``model`` is a model's id or the folder of a checkpoint. ``otherwise`` takes the place of one whose parts are not
    there, and the report says so; empty: that is an error. ``constrained`` decoding takes no word that the source does
    not have.
    """

    use: str = ""
    otherwise: Literal["", "extract", "syntax"] = ""
    model: str = Field(default="flan-t5-small", min_length=1)
    engine: Literal["onnx", "torch"] = "onnx"
    device: Literal["auto", "cpu", "cuda"] = "auto"
    constrained: bool = True
    beams: int = Field(default=1, ge=1, le=4)
    threads: int = Field(default=0, ge=0, description="0: as many as the machine has cores")
    ratio: float = Field(default=0.6, gt=0.0, lt=1.0, description="of a sentence's length, how long its rewrite is")
    spare: float = Field(default=0.5, ge=0.0, le=1.0, description="of what is kept for its rank, the first stay as is")


class CacheConfig(_Section):
    """The cache of vectors and entities: ``sqlite``, or empty for none."""

    use: str = ""


class Weights(_Section):
    """Weights of the signals on one route; a signal with weight 0 is not computed."""

    sentence: float = 0.0
    segment: float = 0.0
    near: float = 0.0
    window: float = 0.0
    bridge: float = 0.0
    entities: float = 0.0
    dense: float = 0.0
    failure: float = 0.0
    recency: float = 0.0


class ScoreConfig(_Section):
    """The weights, by the route that the structure of the input names."""

    passages: Weights = Weights()
    document: Weights = Weights()
    dialogue: Weights = Weights()
    agent: Weights = Weights()
    lines: Weights = Weights()
    code: Weights = Weights()


class SelectConfig(_Section):
    """What is kept: ``floor`` is the least share of the best score; of two as alike as ``duplicates`` one goes.

    Where ``fold`` is set, of lines alike but for numbers and identifiers one stands for the others, with their count.
    """

    floor: float = Field(default=0.02, ge=0.0, le=1.0)
    duplicates: float = Field(default=0.9, gt=0.0, le=1.0)
    fold: bool = False


class ControlConfig(_Section):
    """The adaptive rate controller: thresholds of strength, its bounds, and the criticality where none is given."""

    trim_below: float = Field(default=0.3, ge=0.0, le=1.0)
    extract_below: float = Field(default=0.6, ge=0.0, le=1.0)
    least: float = Field(default=0.1, ge=0.0, le=1.0)
    most: float = Field(default=0.8, ge=0.0, le=1.0)
    criticality: float = Field(default=0.5, ge=0.0, le=1.0)


class Preset(_Section):
    """A whole preset: complete by itself, no inheritance."""

    name: str
    description: str
    mode: Literal["compress", "verbatim"] = "compress"
    tokens: TokensConfig = TokensConfig()
    segment: SegmentConfig = SegmentConfig()
    embed: EmbedConfig = EmbedConfig()
    entities: EntitiesConfig = EntitiesConfig()
    index: IndexConfig = IndexConfig()
    extract: ExtractConfig = ExtractConfig()
    trim: TrimConfig = TrimConfig()
    rewrite: RewriteConfig = RewriteConfig()
    cache: CacheConfig = CacheConfig()
    score: ScoreConfig = ScoreConfig()
    select: SelectConfig = SelectConfig()
    control: ControlConfig = ControlConfig()
