"""Find out who is at the other end of a connection: a phone, or a proxy that forwards its request."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

from werkzeug.middleware.proxy_fix import ProxyFix

from scorer.sentences import say
from webapp.operator_errors import BadSetting

LOOPBACK = "127.0.0.0/8,::1"
OF_A_HOUSEHOLD = 64  # bits of an IPv6 address that one household shares


@dataclass(frozen=True, slots=True)
class Proxies:
    """Hold the networks of trusted proxies, whose forwarding headers name the client, the scheme and the host."""

    networks: tuple[IPv4Network | IPv6Network, ...] = ()

    @classmethod
    def parse(cls, setting: str | Iterable[str]) -> Proxies:
        """Return the proxies in a setting such as "127.0.0.1, 10.1.0.0/16"."""
        names = setting.split(",") if isinstance(setting, str) else [str(one) for one in setting]
        try:
            return cls(tuple(ip_network(name.strip(), strict=False) for name in names if name.strip()))
        except ValueError as fault:
            text = say(
                "TIDEMARK_PROXY_FROM is wrong: {fault}. Separate addresses by commas.",
                fault=str(fault),
            )
            raise BadSetting(text) from None

    def trust(self, address: str) -> bool:
        found = read(address)
        return found is not None and any(found in network for network in self.networks)

    def client_address(self, address: str, forwarded: str) -> str:
        """Return the client's address: the last one in `forwarded` if `address` is a trusted proxy, else `address`."""
        return (forwarded.rpartition(",")[2].strip() or address) if self.trust(address) else address


class TrustedProxies:
    """Wrap the application so that it believes the forwarding headers of trusted proxies, and no others."""

    def __init__(self, plain: Any, proxies: Proxies) -> None:
        self.plain, self.proxies = plain, proxies
        self.fixed = ProxyFix(plain, x_for=1, x_proto=1, x_host=1)

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        is_trusted = self.proxies.trust(environ.get("REMOTE_ADDR", ""))
        return (self.fixed if is_trusted else self.plain)(environ, start_response)


class BelowPath:
    """Wrap the application so that it works below a path such as "/scores", even if a proxy strips that path."""

    def __init__(self, inner: Any, path: str) -> None:
        self.inner, self.path = inner, path

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        asked = environ["PATH_INFO"]
        if asked == self.path:  # the service worker and relative addresses need the slash
            query = environ.get("QUERY_STRING", "")
            start_response("308 Permanent Redirect", [("Location", f"{self.path}/{query and '?'}{query}")])
            return []
        environ["SCRIPT_NAME"] = self.path
        environ["PATH_INFO"] = asked.removeprefix(self.path) if asked.startswith(f"{self.path}/") else asked
        return self.inner(environ, start_response)


def path_of(public: str, taken: Collection[str]) -> str:
    """Return the path of the address `public`, or "". Raise BadSetting if it begins with a name in `taken`, such as
    "plays"."""
    path = urlsplit(public).path.rstrip("/")
    first = f"{path}/".split("/")[1]
    if first and first in taken:
        raise BadSetting(
            say(
                "TIDEMARK_PUBLIC_URL can’t begin with /{name}, which Tidemark uses.",
                name=first,
            )
        )
    return path


def read(text: str) -> IPv4Address | IPv6Address | None:
    """Return the address in the text, or None. An IPv4 address written as IPv6 becomes IPv4."""
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return found.ipv4_mapped or found if isinstance(found, IPv6Address) else found


def household(text: str) -> str:
    """Return the address by which limits count: IPv4 as it is, IPv6 as its network, such as "2001:db8::/64"."""
    found = read(text)
    if not isinstance(found, IPv6Address):
        return text if found is None else str(found)
    hidden = 128 - OF_A_HOUSEHOLD
    return f"{IPv6Address(int(found) >> hidden << hidden)}/{OF_A_HOUSEHOLD}"
