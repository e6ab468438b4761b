"""Tell what stands in deploy/ holds together, as far as that can be told without a network."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import ROOT
from tests.deploy.balanced import CADDYFILE, caddy_environment
from tests.webapp.visitor import serving
from webapp import settings
from webapp.spool import Accounts

DEPLOY = ROOT / "deploy"
UNIT = DEPLOY / "tidemark@.service"
CONTAINERFILE = (DEPLOY / "Containerfile").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    return found


# -- systemd ---


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit as one of its instances, with a program that is there."""
    made = tmp_path / "tidemark@8001.service"
    program = tmp_path / "tidemark"
    program.touch(mode=0o755)
    text = UNIT.read_text(encoding="utf-8").replace("/srv/tidemark/.venv/bin/tidemark", str(program))
    made.write_text(text.replace("file:///srv/tidemark", f"file://{ROOT}"), encoding="utf-8")
    return made


def analyze(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, check=False)


def test_systemd_understands_every_line_of_the_unit(unit: Path) -> None:
    done = analyze("verify", unit)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_unit_is_shut_in(unit: Path) -> None:
    """Of 100; what is left is the network it serves, and PostgreSQL's socket."""
    done = analyze("security", "--offline=true", "--threshold=20", unit)
    assert done.returncode == 0, done.stdout


def test_what_the_unit_starts_is_a_command_of_ours() -> None:
    [command] = re.findall(r"^ExecStart=(.+)$", UNIT.read_text(encoding="utf-8"), re.M)
    assert command == "/srv/tidemark/.venv/bin/tidemark serve --host ${LISTEN} --port %i"


def test_the_unit_sets_nothing_that_we_do_not_know() -> None:
    """Or the server would complain of it at every start."""
    told = dict(re.findall(r"^Environment=(\w+)=(.*)$", UNIT.read_text(encoding="utf-8"), re.M))
    assert settings.unknown(told) == [] and settings.of(told) and "LISTEN" in told


# -- Caddy ---


@pytest.mark.parametrize("nodes", ["", "node1:8000 node2:8000 node3:8000"])
def test_caddy_understands_its_file(nodes: str, tmp_path: Path) -> None:
    environment = caddy_environment(tmp_path, "https://scores.example", nodes or "127.0.0.1:8000")
    command: list[str | Path] = ["caddy", "validate", "--config", CADDYFILE, "--adapter", "caddyfile"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "input is not formatted" not in done.stderr


# -- containers ---


def test_the_image_takes_in_what_there_is() -> None:
    [*copied] = re.findall(r"^COPY (.+) \S+$", CONTAINERFILE, re.M)
    sources = [source for line in copied for source in line.split()]
    assert {"scorer", "vision", "webapp", "templates"} <= set(sources)
    taken = (DEPLOY / "Containerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    for source in sources:
        assert (ROOT / source).exists() and f"!{source}" in taken, source


def test_the_image_runs_a_command_of_ours_and_not_as_root() -> None:
    assert 'CMD ["tidemark", "serve", "--port", "8000"]' in CONTAINERFILE
    assert re.search(r"^USER 10001:10001$", CONTAINERFILE, re.M)


def test_a_ready_image_can_take_the_place_of_the_one_that_is_built(compose: dict[str, Any]) -> None:
    for name in ("node1", "node2", "node3"):
        assert compose["services"][name]["image"] == "${TIDEMARK_IMAGE:-tidemark}"


def environments(compose: dict[str, Any]) -> list[dict[str, str]]:
    nodes = [service for name, service in compose["services"].items() if name.startswith("node")]
    assert len(nodes) == 3
    filled = {"${POSTGRES_PASSWORD:?choose one}": "secret", "${TIDEMARK_SITE:?the name people use}": "scores.example"}
    found = []
    for node in nodes:
        environment = dict(node["environment"])
        for name, text in environment.items():
            for variable, value in filled.items():
                text = text.replace(variable, value)
            environment[name] = text
        found.append(environment)
    return found


def test_every_setting_of_the_servers_is_one(compose: dict[str, Any]) -> None:
    for environment in environments(compose):
        assert settings.unknown(environment) == []
        read = settings.of(environment)
        assert read["PUBLIC_URL"] == "https://scores.example" and read["PROXY"] == 1
        assert read["DATABASE"].startswith("postgresql://")


def test_the_servers_have_room_for_all_that_they_may_keep_in_files(compose: dict[str, Any]) -> None:
    for name in ("node1", "node2", "node3"):
        [folder] = compose["services"][name]["tmpfs"]
        size = re.fullmatch(r"/tmp:size=(\d+)m,mode=1777", folder)
        assert size and int(size[1]) * 2**20 >= Accounts().disk.most + 100 * 2**20


def test_the_servers_believe_caddy_and_nobody_else(compose: dict[str, Any]) -> None:
    [inside] = compose["networks"]["inside"]["ipam"]["config"]
    caddy = compose["services"]["caddy"]["networks"]["inside"]["ipv4_address"]
    assert ip_address(caddy) in ip_network(inside["subnet"]) and ip_address(caddy) not in ip_network(inside["ip_range"])
    for environment in environments(compose):
        assert settings.of(environment)["PROXY_FROM"] == [caddy]
    assert [name for name, service in compose["services"].items() if "ports" in service] == ["caddy"]


def test_caddy_asks_the_servers_by_the_names_they_answer_to(compose: dict[str, Any]) -> None:
    asked = {node.partition(":")[0] for node in compose["services"]["caddy"]["environment"]["TIDEMARK_NODES"].split()}
    assert asked == {name for name, service in compose["services"].items() if service.get("hostname") == name}
    [volume] = [one for one in compose["services"]["caddy"]["volumes"] if "Caddyfile" in one]
    assert os.path.samefile(DEPLOY / volume.partition(":")[0], CADDYFILE)


def test_all_that_the_containers_name_is_there(compose: dict[str, Any]) -> None:
    services, volumes, networks = (set(compose[part]) for part in ("services", "volumes", "networks"))
    kept, joined = set[str](), set[str]()
    for name, service in compose["services"].items():
        assert ("image" in service) and service["restart"] == "unless-stopped", name
        for other, when in service.get("depends_on", {}).items():
            assert other in services
            assert when["condition"] != "service_healthy" or "healthcheck" in compose["services"][other]
        joined |= set(service["networks"])
        for volume in service.get("volumes", []):
            source = volume.partition(":")[0]
            if source.startswith("."):
                assert (DEPLOY / source).exists()
            else:
                kept.add(source)
    assert (kept, joined) == (volumes, networks)
    built = [service["build"] for service in compose["services"].values() if "build" in service]
    assert built
    for one in built:
        assert (DEPLOY / one["context"] / one["dockerfile"]).samefile(DEPLOY / "Containerfile")


def test_the_image_tells_whether_its_server_lives(tmp_path: Path) -> None:
    found = re.search(r"^HEALTHCHECK .* CMD (\[.*?\])$", CONTAINERFILE.replace("\\\n", ""), re.M)
    assert found
    python, *arguments = json.loads(found[1])
    assert python == "python"
    with serving(tmp_path / "t.db") as server:
        port = server.address.rpartition(":")[2]
        check = [sys.executable, *(argument.replace(":8000/", f":{port}/") for argument in arguments)]
        assert f":{port}/healthz" in check[-1]
        assert subprocess.run(check, capture_output=True, check=False).returncode == 0
        server.process.terminate()
        server.process.wait(20)
        assert subprocess.run(check, capture_output=True, check=False).returncode != 0
