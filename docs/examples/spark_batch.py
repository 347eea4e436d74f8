"""Compress a column of a Spark dataframe: one compressor for each Python worker of Spark.

    pip install gliding pyspark pandas pyarrow && spark-submit docs/examples/spark_batch.py

Not run by the tests: it needs a Java.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
from pyspark.sql import SparkSession

from gliding.batch import CompressTask, Options

TASK = CompressTask(Options(preset="edge", query="When did the pump fail?", max_tokens=20))


def shorter(frames: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
    """Yield the frames with the compressed text, its tokens and the error of each row."""
    for frame in frames:
        rows = TASK(frame.to_dict("records"))
        yield pd.DataFrame(
            {
                "id": [row.id for row in rows],
                "text": [row.text for row in rows],
                "tokens": [row.tokens_out for row in rows],
                "error": [row.error for row in rows],
            }
        )


if __name__ == "__main__":
    spark = SparkSession.builder.getOrCreate()
    texts = spark.createDataFrame([("a", "The pump failed at noon. Lunch was soup. The bus was late.")], ["id", "text"])
    texts.mapInPandas(shorter, schema="id string, text string, tokens long, error string").show(truncate=False)
