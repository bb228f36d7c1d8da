"""Compile the kernels with mypyc into build/compiled/<platform>/, for openplan.compiled to find.

Which modules: all in a game's folder `kernel`, and no others. They are a group: they share one
library and call each other natively; groups are independent. A group is built again only when
something it was built from has changed. Without a C compiler everything runs plain.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import json
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"
TARGET = ROOT / "build" / "compiled" / EXTENSION_SUFFIXES[0].split(".")[1]


def main() -> None:
    if len(sys.argv) == 3 and sys.argv[1] == "--group":
        compile_group(sys.argv[2].split(","))
        return
    if missing := what_is_missing():
        print(f"not compiled, running plain: {missing}")
        return
    manifest = TARGET / "manifest.json"
    old = json.loads(manifest.read_text())["groups"] if manifest.is_file() else []
    groups = kernels()
    new = [entry for entry in old if entry["modules"] in groups and is_current(entry)]
    known = [entry["modules"] for entry in new]
    with ThreadPoolExecutor() as beside:
        work = [beside.submit(build, group) for group in groups if group not in known]
        for built in as_completed(work):
            new.append(built.result())
            # Written after each group, so that an interrupted build loses only the rest.
            write_manifest(manifest, sorted(new, key=lambda one: groups.index(one["modules"])))
    kept = {entry["folder"] for entry in new}
    for folder in TARGET.iterdir():
        if folder.is_dir() and folder.name not in kept:
            shutil.rmtree(folder)


def kernels() -> list[list[str]]:
    """The modules of each game's kernel."""
    folders = sorted((SOURCE / "openplan" / "games").glob("*/kernel"))
    return [
        [
            ".".join(file.relative_to(SOURCE).with_suffix("").parts)
            for file in sorted(folder.glob("*.py"))
            if file.stem != "__init__"
        ]
        for folder in folders
    ]


def what_is_missing() -> str:
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    if shutil.which(compiler) is None:
        return f"no C compiler ({compiler}) at hand"
    if not (Path(sysconfig.get_path("include")) / "Python.h").is_file():
        return "Python's C headers (Python.h) are not installed"
    return ""


def tools() -> dict[str, str]:
    """Everything besides the sources that decides what the compiled code is like."""
    versions = {name: importlib.metadata.version(name) for name in ("mypy", "librt")}
    script = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    return {**versions, "python": sys.version, "script": script}


def is_current(entry: dict[str, Any]) -> bool:
    return (
        entry["tools"] == tools()
        and entry["inputs"] == inputs_of(entry["modules"])
        and all((TARGET / file).is_file() for file in entry["libraries"].values())
    )


def build(modules: list[str]) -> dict[str, Any]:
    started = time.perf_counter()
    inputs = inputs_of(modules)
    digest = hashlib.sha256(json.dumps([modules, inputs, tools()]).encode()).hexdigest()[:16]
    folder = TARGET / digest
    shutil.rmtree(folder, ignore_errors=True)
    # mypyc keeps global state, so that each group gets a process of its own.
    command = [sys.executable, __file__, "--group", ",".join(modules)]
    # So does its cache, which others write at the same time.
    own = {**os.environ, "MYPY_CACHE_DIR": str(scratch(modules) / "mypy_cache")}
    done = subprocess.run(command, cwd=ROOT, env=own, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}{done.stderr}could not compile {', '.join(modules)}")
    shutil.copytree(scratch(modules) / "lib", folder)
    libraries = {}
    for file in sorted(folder.rglob("*" + EXTENSION_SUFFIXES[0])):
        name = str(file.relative_to(folder)).removesuffix(EXTENSION_SUFFIXES[0]).replace("/", ".")
        libraries[name] = str(file.relative_to(TARGET))
    assert set(modules) <= set(libraries), f"mypyc built {sorted(libraries)} from {modules}"
    print(f"compiled {', '.join(modules)} in {time.perf_counter() - started:.1f} s", flush=True)
    return {
        "modules": modules,
        "folder": digest,
        "inputs": inputs,
        "tools": tools(),
        "libraries": libraries,
    }


def compile_group(modules: list[str]) -> None:
    from mypyc.build import mypycify
    from setuptools import setup

    work = scratch(modules)
    shutil.rmtree(work / "lib", ignore_errors=True)
    work.mkdir(parents=True, exist_ok=True)
    extensions = mypycify(
        [str(file_of(module).relative_to(ROOT)) for module in modules],
        opt_level="3",
        debug_level="0",
        target_dir=str(work),
        group_name=modules[0].replace(".", "_"),
    )
    folders = ["--build-lib", str(work / "lib"), "--build-temp", str(work / "temp")]
    # An empty configuration: setuptools would otherwise read this project's pyproject.toml.
    os.chdir(work)
    for extension in extensions:
        extension.sources = [str(ROOT / source) for source in extension.sources]
        if sys.platform == "linux":
            # Lets the C compiler inline across functions of the library: 16% more sampled games.
            # -march=native, x86-64-v2 and x86-64-v3 were tried and gave nothing.
            extension.extra_compile_args.append("-fno-semantic-interposition")
    setup(
        name="kernels",
        packages=[],
        ext_modules=extensions,
        script_args=["--quiet", "build_ext", *folders],
    )


def scratch(modules: list[str]) -> Path:
    return ROOT / "build" / "mypyc" / EXTENSION_SUFFIXES[0].split(".")[1] / modules[0]


def write_manifest(file: Path, groups: list[dict[str, Any]]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_suffix(".new")
    fresh.write_text(json.dumps({"groups": groups}, indent=2) + "\n")
    fresh.replace(file)


def inputs_of(modules: list[str]) -> dict[str, str]:
    """Path and hash of the group's sources and of all sources they import.

    mypyc copies constants of imported modules into the compiled code, so that a change there
    makes the build wrong too.
    """
    found: dict[str, str] = {}
    waiting = [file_of(module) for module in modules]
    while waiting:
        file = waiting.pop()
        key = file.relative_to(SOURCE).as_posix()
        if key in found:
            continue
        found[key] = hashlib.sha256(file.read_bytes()).hexdigest()
        for name in imported_names(file):
            target = SOURCE / name.replace(".", "/")
            options = (target.with_suffix(".py"), target / "__init__.py")
            waiting += [option for option in options if option.is_file()]
    return dict(sorted(found.items()))


def imported_names(file: Path) -> set[str]:
    package = list(file.relative_to(SOURCE).parent.parts)
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            names.add(base)
            names.update(f"{base}.{alias.name}" for alias in node.names)
    return {name for name in names if name.split(".")[0] == "openplan" and name != "openplan"}


def file_of(module: str) -> Path:
    file = SOURCE / (module.replace(".", "/") + ".py")
    if not file.is_file():
        sys.exit(f"pyproject.toml lists {module} to be compiled, but {file} does not exist")
    return file


if __name__ == "__main__":
    main()
