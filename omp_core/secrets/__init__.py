"""The choke point in front of every home: finds secrets in text and JSON values.

Found are keys and tokens of known vendors, private keys, passwords and other credentials
told in Chinese or English prose or assigned in code, credentials in addresses, Chinese
identity-card numbers (checksum), bank cards (Luhn) and phone numbers. Full-width digits,
invisible characters, and spaces or dashes inside numbers do not hide them. Findings hold
kind and place, never a value.
"""

from __future__ import annotations

from omp_core.secrets.scan import ensure_clean, redact, scan
from omp_core.secrets.values import ensure_clean_value, redact_value, scan_value

__all__ = ["ensure_clean", "ensure_clean_value", "redact", "redact_value", "scan", "scan_value"]
