"""Draw QR codes for pages."""

from __future__ import annotations

import segno


def qr(address: str) -> str:
    """Return a QR code of the address as an inline SVG."""
    return segno.make(address, error="m").svg_inline(scale=4, border=2, dark="#000", light="#fff", omitsize=True)
