"""A store of results that a team shares: any database that SQLAlchemy knows.

    store = SharedStore("postgresql://tuner@host/results")
    store.push(database); store.pull(database)

A row is a run, as its export has it (`exports.py`). Each member keeps a results file:
a run is read and written there, and works without the network. Rows are only added;
pushing or pulling twice changes nothing the second time.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tilewright.ir.errors import UserError
from tilewright.tuning.results.exports import export_json, import_json
from tilewright.tuning.results.reader import read_runs, read_trials

if TYPE_CHECKING:
    from tilewright.tuning.results.database import Database
    from tilewright.tuning.results.runs import Run

_MOST_BYTES = 256 << 20
"""The largest export of a run that is read."""
_INSTALL = "pip install 'tilewright[team]'"


class SharedStore:
    """The runs of all members."""

    def __init__(self, url: str) -> None:
        """Connect, and make the table if it is not there."""
        try:
            import sqlalchemy
            import sqlalchemy.exc
        except ImportError:
            raise UserError(
                "a shared store needs SQLAlchemy", remedy=_INSTALL
            ) from None
        self._sql: Any = sqlalchemy
        try:
            address = sqlalchemy.make_url(url)
        except sqlalchemy.exc.ArgumentError:
            raise UserError(
                "this is not the address of a database",
                remedy="such as postgresql://user@host/results, or sqlite:///team.db",
            ) from None
        if address.drivername == "postgresql":
            address = address.set(drivername="postgresql+psycopg")
        self.name = address.render_as_string(hide_password=True)
        self._table = _table(sqlalchemy)
        try:
            self._engine = sqlalchemy.create_engine(address)
        except (ImportError, sqlalchemy.exc.NoSuchModuleError) as error:
            raise UserError(
                f"{self.name}: there is no driver for it: {error}", remedy=_INSTALL
            ) from None
        with self._told():
            self._table.metadata.create_all(self._engine)

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()

    def push(self, database: Database, runs: Collection[Run] | None = None) -> int:
        """Add the runs of a results file that the store lacks; returns their number."""
        keys = {key: run for key, run in _keyed(database, runs)}
        added = 0
        with self._told():
            for key in keys.keys() - self._known():
                run = keys[key]
                text = export_json(database, [run]).encode()
                row = {
                    "key": key,
                    "family": run.setting.family,
                    "device": run.setting.device,
                    "started": run.started,
                    "data": zlib.compress(text),
                }
                try:
                    with self._engine.begin() as connection:
                        connection.execute(self._table.insert(), row)
                    added += 1
                except self._sql.exc.IntegrityError:
                    pass  # another member has added it meanwhile
        return added

    def pull(self, database: Database, family: str | None = None) -> int:
        """Add the store's runs that a results file lacks; returns their number.

        With a `family`, only those of payloads that differ in sizes alone.
        """
        here = {key for key, _ in _keyed(database, None)}
        missing = [key for key in self._known(family) if key not in here]
        for key in missing:
            with self._told(), self._engine.connect() as connection:
                wanted = self._sql.select(self._table.c.data)
                data = connection.execute(
                    wanted.where(self._table.c.key == key)
                ).scalar_one()
            import_json(database, _unpacked(bytes(data)))
        return len(missing)

    def _known(self, family: str | None = None) -> list[str]:
        """The keys of the store, oldest run first."""
        columns = self._table.c
        wanted = self._sql.select(columns.key).order_by(columns.started, columns.key)
        if family is not None:
            wanted = wanted.where(columns.family == family)
        with self._told(), self._engine.connect() as connection:
            return list(connection.execute(wanted).scalars())

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn errors of the database into errors for the user."""
        try:
            yield
        except self._sql.exc.SQLAlchemyError as error:
            cause = str(getattr(error, "orig", None) or error).strip().splitlines()
            raise UserError(
                f"{self.name}: {cause[0] if cause else 'the database refuses'}",
                remedy="check the address, the password and that the server runs",
            ) from None


def _table(sqlalchemy: Any) -> Any:
    return sqlalchemy.Table(
        "tilewright_runs",
        sqlalchemy.MetaData(),
        sqlalchemy.Column("key", sqlalchemy.String(64), primary_key=True),
        sqlalchemy.Column("family", sqlalchemy.String(64), index=True),
        sqlalchemy.Column("device", sqlalchemy.Text),
        sqlalchemy.Column("started", sqlalchemy.String(40)),
        sqlalchemy.Column("data", sqlalchemy.LargeBinary),
    )


def _keyed(
    database: Database, runs: Collection[Run] | None
) -> Iterator[tuple[str, Run]]:
    """The runs with a key each: what a run is, whatever its number in a file is."""
    for run in read_runs(database) if runs is None else runs:
        if run.is_recorded:
            one = run.setting
            identity = [one.payload, one.schedule, one.device, one.sizes]
            identity += [run.started, run.strategy, str(run.seed)]
            trials = read_trials(database, run)
            # Two runs may begin in the same second; their trials end at other moments.
            ends = sorted((trial.number, trial.at_seconds or 0.0) for trial in trials)
            identity += [str(len(trials)), *map(str, ends[:1])]
            yield hashlib.sha256(json.dumps(identity).encode()).hexdigest(), run


def _unpacked(data: bytes) -> str:
    """The export of a run; refuses what is no export, or far too large."""
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(data, _MOST_BYTES)
    except zlib.error:
        raise UserError("a run of the shared store is damaged") from None
    if unpacker.unconsumed_tail:
        raise UserError("a run of the shared store is too large")
    return text.decode(errors="replace")
