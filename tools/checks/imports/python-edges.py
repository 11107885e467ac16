"""Edges of imports below a folder as Python's own parser sees them, one `from -> to` a line.

The names are looked up as `sys.path` would be under pytest's default import mode: from the folder around a file's outermost
package (or the file's own), from `src`, and from the root. Argument: the folder; on standard input: its paths.
"""

import ast
import os
import sys
import warnings

warnings.simplefilter("ignore")

root = sys.argv[1]
paths = [line for line in sys.stdin.read().split("\0") if line]
known = set(paths)


def module(parts):
    """The file of a module; None where there is none."""
    base = "/".join(parts)
    for candidate in (base + "/__init__.py", base + ".py", base + "/__init__.pyi", base + ".pyi"):
        if candidate.lstrip("/") in known:
            return candidate.lstrip("/")
    return None


def is_package(parts):
    base = "/".join(parts)
    return base + "/__init__.py" in known or base + "/__init__.pyi" in known


def search_path(path):
    top = path.split("/")[:-1]
    while top and is_package(top):
        top = top[:-1]
    return [top, ["src"], []] if "src" != top else [top, []]


def lookup(path, names):
    """The file of the longest known beginning of dotted names, in the first root that has one."""
    for base in search_path(path):
        for end in range(len(names), 0, -1):
            found = module(base + names[:end])
            if found is not None:
                # What lies between must be packages or plain folders: a module has no children.
                return found
    return None


def from_names(path, level, name, aliases):
    parts = name.split(".") if name else []
    if level:
        folder = path.split("/")[:-1]
        folder = folder[: len(folder) - (level - 1)]
        bases = [folder + parts]
    else:
        bases = [base + parts for base in search_path(path)]
    for alias in aliases:
        for base in bases:
            found = (module(base + [alias]) if alias != "*" else None) or module(base)
            if found is not None:
                yield found
                break
        else:
            if not level:
                found = lookup(path, parts)
                if found is not None:
                    yield found


for path in paths:
    if not path.endswith((".py", ".pyi")):
        continue
    try:
        with open(os.path.join(root, path), "rb") as file:
            tree = ast.parse(file.read())
    except (SyntaxError, ValueError):
        print("unread " + path)
        continue
    for node in ast.walk(tree):
        targets = []
        if isinstance(node, ast.Import):
            targets = [lookup(path, alias.name.split(".")) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            targets = from_names(path, node.level, node.module, [alias.name for alias in node.names])
        for target in targets:
            if target is not None and target != path:
                print(path + " -> " + target)
