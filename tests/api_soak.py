"""The interface for programs at length: many more requests made from its description, and whole
games of every title played over HTTP. ``python tests/api_soak.py [EXAMPLES]``."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

if __name__ == "__main__":
    os.environ["ROUNDHOUSE_EXAMPLES"] = sys.argv[1] if len(sys.argv) > 1 else "60"
    os.environ["ROUNDHOUSE_LONG"] = "1"
    web = Path(__file__).parent / "web"
    sys.exit(pytest.main([str(web / "test_api_schema.py"), str(web / "test_api_client.py")]))
