"""Finds the files that a schedule imports, and gives their sequences full names.

    import gemm                     // a file of the library
    import "parts/tails.tw" as t    // a file of the user's, next to the schedule

    include gemm.tiled(root)

A sequence of another file is called `FILE.NAME`, in the text and in the IR. Inside its
own file it goes by its short name; the includes there are renamed when it is read. A
file that several files import is read once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tilewright.ir.errors import Note, UserError
from tilewright.ir.phrases import did_you_mean
from tilewright.schedules.language.parsing.parser import parse
from tilewright.schedules.language.syntax import (
    LIBRARY,
    Branch,
    Choose,
    Definition,
    File,
    ForEach,
    Guarded,
    Import,
    Include,
    Permute,
    Statement,
    Try,
)

FOLDER = Path(__file__).parent
PRELUDE = "prelude"
"""The file whose sequences need no import."""


@dataclass(frozen=True)
class Imported:
    """A file with full names in its includes, and the sequences that it imports."""

    file: File
    definitions: Mapping[str, Definition]
    errors: tuple[UserError, ...]


def module_names() -> list[str]:
    """The files of the library that a schedule may import."""
    names = (path.stem for path in FOLDER.glob("*.tw"))
    return sorted(name for name in names if name != PRELUDE)


def with_imports(file: File, name: str) -> Imported:
    """Resolve the imports of a file; `name` is its path, or what errors call it."""
    if not file.imports:
        return Imported(file, {}, ())
    reader = _Reader()
    path = Path(name)
    modules = reader.imports(file, path, [path.resolve()])
    body = tuple(
        replace(definition, body=reader.renamed(definition.body, modules, {}))
        for definition in file.definitions
    )
    whole = replace(file, definitions=body)
    return Imported(whole, reader.definitions, tuple(reader.errors))


@dataclass
class _Module:
    """A file that was imported: the prefix of its sequences, and their short names."""

    prefix: str
    names: list[str] = field(default_factory=list[str])


@dataclass
class _Reader:
    """Reads files, each once, and collects their sequences under full names."""

    definitions: dict[str, Definition] = field(default_factory=dict[str, Definition])
    errors: list[UserError] = field(default_factory=list[UserError])
    _modules: dict[Path, _Module] = field(default_factory=dict[Path, _Module])

    def imports(
        self, file: File, path: Path, chain: Sequence[Path]
    ) -> dict[str, _Module]:
        """The modules that a file imports, by the names that it gives them."""
        found: dict[str, _Module] = {}
        first: dict[str, Import] = {}
        for statement in file.imports:
            try:
                module = self._module(statement, path, chain)
            except UserError as error:
                self.errors.append(error)
                # Includes of it are left as they are, and get no second error.
                continue
            alias = statement.title
            if alias in found:
                note = Note("the first is here", first[alias].place)
                fact = f"import: two files are called '{alias}'"
                remedy = f"name one of them: {statement.text} as other"
                self.errors.append(UserError(fact, statement.place, remedy, [note]))
                continue
            found[alias], first[alias] = module, statement
        return found

    def _module(self, statement: Import, path: Path, chain: Sequence[Path]) -> _Module:
        """The module of one import, read if it is new."""
        source = _source(statement, path)
        if source in chain:
            shown = [p.name for p in (*chain[chain.index(source) :], source)]
            raise UserError(
                f"import: '{source.name}' imports itself: {' -> '.join(shown)}",
                statement.place,
                "move what both files need to a third file",
            )
        if source in self._modules:
            return self._modules[source]
        shown_as = (
            str(path.parent / statement.source)
            if statement.is_file
            else f"{LIBRARY}{source.name}"
        )
        try:
            file = parse(source.read_text(encoding="utf-8"), shown_as)
        except UserError as error:
            error.notes.append(Note("it is imported here", statement.place))
            raise
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(
                f"import: '{source.name}' cannot be read: {error}",
                statement.place,
                "give a text file that you may read",
            ) from error
        taken = {module.prefix for module in self._modules.values()}
        prefix, number = source.stem, 1
        while prefix in taken:
            number += 1
            prefix = f"{source.stem}{number}"
        module = self._modules[source] = _Module(prefix)
        module.names += [definition.name.text for definition in file.definitions]
        inner = self.imports(file, Path(shown_as), [*chain, source])
        own = {name: f"{prefix}.{name}" for name in module.names}
        for definition in file.definitions:
            full = own[definition.name.text]
            self.definitions[full] = replace(
                definition,
                is_schedule=False,
                name=replace(definition.name, text=full),
                body=self.renamed(definition.body, inner, own),
            )
        return module

    # -- full names --------------------------------------------------------------

    def renamed(
        self,
        body: Sequence[Statement],
        modules: Mapping[str, _Module],
        own: Mapping[str, str],
    ) -> tuple[Statement, ...]:
        """Statements whose includes have full names."""
        return tuple(self._statement(s, modules, own) for s in body)

    def _statement(
        self,
        statement: Statement,
        modules: Mapping[str, _Module],
        own: Mapping[str, str],
    ) -> Statement:
        def inner(body: Sequence[Statement]) -> tuple[Statement, ...]:
            return self.renamed(body, modules, own)

        def branch(of: Branch) -> Branch:
            return replace(of, body=inner(of.body))

        if isinstance(statement, Include):
            function = statement.call.function
            text = own.get(function.text) or self._full(function.text, modules)
            if text is None:
                self.errors.append(_unknown(statement, modules))
                return statement
            call = replace(statement.call, function=replace(function, text=text))
            return replace(statement, call=call)
        if isinstance(statement, Choose | Permute):
            return replace(statement, branches=tuple(map(branch, statement.branches)))
        if isinstance(statement, Try):
            bodies = [
                replace(b, statements=inner(b.statements)) for b in statement.branches
            ]
            return replace(statement, branches=tuple(bodies))
        if isinstance(statement, ForEach | Guarded):
            body = replace(statement.body, statements=inner(statement.body.statements))
            return replace(statement, body=body)
        return statement

    def _full(self, text: str, modules: Mapping[str, _Module]) -> str | None:
        """The full name of a sequence; None if its file has no such sequence."""
        alias, _, name = text.rpartition(".")
        if alias not in modules:
            return text
        module = modules[alias]
        return f"{module.prefix}.{name}" if name in module.names else None


def _source(statement: Import, path: Path) -> Path:
    """The file that an import names."""
    if not statement.is_file:
        known = module_names()
        if statement.source not in known:
            own = path.parent / f"{statement.source}.tw"
            raise UserError(
                f"import: the library has no '{statement.source}'",
                statement.place,
                f'to import your own file, write: import "{own.name}"'
                if own.exists()
                else did_you_mean(statement.source, known)
                or f"it has {', '.join(known)}",
            )
        return (FOLDER / f"{statement.source}.tw").resolve()
    found = (path.parent / statement.source).resolve()
    if found.suffix != ".tw":
        raise UserError(
            f'import: "{statement.source}" is not a .tw file',
            statement.place,
            "import a file of the schedule language",
        )
    if not found.is_file():
        near = did_you_mean(
            found.name, [other.name for other in found.parent.glob("*.tw")]
        )
        raise UserError(
            f'import: there is no file "{statement.source}"',
            statement.place,
            near or f"paths begin at the folder of this file, {path.parent.resolve()}",
        )
    return found


def _unknown(include: Include, modules: Mapping[str, _Module]) -> UserError:
    name = include.call.function
    alias, _, short = name.text.rpartition(".")
    names = [f"{alias}.{known}" for known in modules[alias].names]
    return UserError(
        f"include: '{alias}' has no sequence '{short}'",
        name.place,
        did_you_mean(name.text, names)
        or (f"it has {', '.join(names)}" if names else "the file defines none"),
    )
