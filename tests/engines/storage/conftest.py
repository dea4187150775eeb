"""A bucket on loopback."""

from tests.factories.buckets import bucket, moto_endpoint

__all__ = ["bucket", "moto_endpoint"]
