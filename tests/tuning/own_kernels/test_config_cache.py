"""Winning configurations: in memory, in readable files, shared by processes."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import pytest

from support.damaged_files import DAMAGES, damage, within
from tilewright.autotuner import ConfigCache
from tilewright.ir.errors import UserError

CONFIG = {"BLOCK_M": 64, "num_warps": 4}
KEY = ("fp8_gemm", (4096, 4096, 4096), "NVIDIA H200")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def cache(folder: Path) -> ConfigCache:
    return ConfigCache(folder)


def files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def test_a_cache_without_a_folder_is_in_memory() -> None:
    cache = ConfigCache()
    assert cache.get(*KEY) is None
    cache.set(*KEY, CONFIG)
    assert cache.get(*KEY) == CONFIG
    assert cache.get_all_keys() == [KEY]
    assert KEY in cache and len(cache) == 1
    assert ("fp8_gemm", (1,), "cpu") not in cache and "fp8_gemm" not in cache
    cache.clear()
    assert cache.get(*KEY) is None and cache.get_all_keys() == []


def test_names_of_the_arguments() -> None:
    cache = ConfigCache(cache_dir=None)
    cache.set(kernel_type="k", problem_size=(1, 2), device="cpu", config=CONFIG)
    assert cache.get(kernel_type="k", problem_size=(1, 2), device="cpu") == CONFIG


def test_what_comes_out_is_a_copy() -> None:
    cache = ConfigCache()
    given = dict(CONFIG)
    cache.set(*KEY, given)
    given["BLOCK_M"] = 0
    found = cache.get(*KEY)
    assert found is not None
    found["BLOCK_M"] = 1
    assert cache.get(*KEY) == CONFIG


def test_a_file_is_readable(cache: ConfigCache, folder: Path) -> None:
    cache.set(*KEY, CONFIG)
    (path,) = files(folder)
    assert path.name.startswith("fp8_gemm-4096x4096x4096-NVIDIA_H200-")
    assert path.suffix == ".json"
    found = json.loads(path.read_text())
    assert found["config"] == CONFIG
    assert found["problem_size"] == [4096, 4096, 4096]
    assert found["device"] == "NVIDIA H200"
    assert "\n" in path.read_text()


def test_another_cache_reads_the_files(cache: ConfigCache, folder: Path) -> None:
    cache.set(*KEY, CONFIG)
    cache.set("other", 7, "cpu", {"a": 1.5, "b": True, "c": "x", "d": None})
    again = ConfigCache(str(folder))
    assert again.get(*KEY) == CONFIG
    assert again.get("other", (7,), "cpu") == {"a": 1.5, "b": True, "c": "x", "d": None}
    assert sorted(again.get_all_keys()) == sorted([KEY, ("other", (7,), "cpu")])


def test_keys_that_look_alike_are_apart(cache: ConfigCache, folder: Path) -> None:
    keys = [
        ("a/b", (1, 23), "x"),
        ("a_b", (1, 23), "x"),
        ("a_b", (12, 3), "x"),
        ("a_b", (1, 23), "x" * 300),
        ("a_b", (1, 23), "x" * 301),
        ("", (), ""),
        ("../../up", (1,), "über"),
    ]
    for number, key in enumerate(keys):
        cache.set(*key, {"n": number})
    for number, key in enumerate(keys):
        assert ConfigCache(folder).get(*key) == {"n": number}
    assert len(files(folder)) == len(keys)
    assert set(ConfigCache(folder).get_all_keys()) == set(keys)


def test_a_list_and_a_tuple_are_one_size() -> None:
    cache = ConfigCache()
    cache.set("k", [1, 2], "cpu", CONFIG)
    assert cache.get("k", (1, 2), "cpu") == CONFIG


def test_home_is_expanded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    ConfigCache("~/deep/er").set(*KEY, CONFIG)
    assert len(files(tmp_path / "deep" / "er")) == 1


def test_an_entry_of_another_process_is_seen(cache: ConfigCache, folder: Path) -> None:
    cache.set(*KEY, CONFIG)
    other = ConfigCache(folder)
    other.set(*KEY, {"BLOCK_M": 128})
    assert cache.get(*KEY) == {"BLOCK_M": 128}
    other.clear()
    assert ConfigCache(folder).get(*KEY) is None
    assert cache.get(*KEY) == {"BLOCK_M": 128}  # memory keeps it


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "{}",
        '{"format": "tilewright-config-1", "config": 3}',
        '{"format": "another", "config": {}}',
        "[" * 100_000,
        "\0\0",
    ],
)
def test_a_damaged_file_is_passed_over(
    cache: ConfigCache, folder: Path, text: str
) -> None:
    cache.set(*KEY, CONFIG)
    (path,) = files(folder)
    path.write_text(text)
    new = ConfigCache(folder)
    with pytest.warns(UserWarning, match=f"{path.name} is damaged"):
        assert new.get(*KEY) is None
    with pytest.warns(UserWarning, match=f"{path.name} is damaged"):
        assert cache.get(*KEY) == CONFIG  # from memory
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # each damage is told once
        assert new.get(*KEY) is None
        assert new.get_all_keys() == []
    cache.set(*KEY, CONFIG)
    assert ConfigCache(folder).get(*KEY) == CONFIG


@pytest.mark.parametrize("kind", DAMAGES)
def test_no_kind_of_damage_stops_a_call(
    cache: ConfigCache, folder: Path, kind: str
) -> None:
    cache.set(*KEY, CONFIG)
    (path,) = files(folder)
    damage(path, kind)
    with within(5), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = ConfigCache(folder).get(*KEY)
    # A folder that is given by name may be shared, and a configuration is data.
    assert found == (CONFIG if kind in ("link", "writable by all") else None)


def test_bytes_that_are_no_text_are_passed_over(
    cache: ConfigCache, folder: Path
) -> None:
    cache.set(*KEY, CONFIG)
    files(folder)[0].write_bytes(b"\xff\xfe\x00")
    with pytest.warns(UserWarning, match="damaged"):
        assert ConfigCache(folder).get_all_keys() == []


def test_a_file_under_the_name_of_another_is_passed_over(
    cache: ConfigCache, folder: Path
) -> None:
    cache.set(*KEY, CONFIG)
    cache.set("other", (1,), "cpu", {"a": 1})
    first, second = files(folder)
    second.write_text(first.read_text())
    with pytest.warns(UserWarning, match="it is the entry of"):
        assert ConfigCache(folder).get("other", (1,), "cpu") is None


def test_files_of_others_stay(cache: ConfigCache, folder: Path) -> None:
    cache.set(*KEY, CONFIG)
    (folder / "settings.json").write_text("{}")
    (folder / f".{files(folder)[0].name}.abc.tmp").write_text("half")
    assert cache.get_all_keys() == [KEY]
    cache.clear()
    assert [path.name for path in files(folder)] == ["settings.json"]


def test_a_value_that_json_lacks_stays_in_memory(
    cache: ConfigCache, folder: Path
) -> None:
    with pytest.warns(UserWarning, match="JSON cannot hold it"):
        cache.set(*KEY, {"dtype": object})
    assert cache.get(*KEY) == {"dtype": object}
    assert files(folder) == []
    assert cache.get_all_keys() == [KEY]


def test_a_folder_that_is_gone_costs_a_warning(
    cache: ConfigCache, folder: Path
) -> None:
    folder.rmdir()
    folder.write_text("a file is in its place")
    with pytest.warns(UserWarning, match="cannot write"):
        cache.set(*KEY, CONFIG)
    assert cache.get(*KEY) == CONFIG


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="cannot make the cache folder"):
        ConfigCache(tmp_path / "file" / "cache")


def test_a_write_that_fails_keeps_the_old_entry(
    cache: ConfigCache, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.set(*KEY, CONFIG)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.warns(UserWarning, match="No space left on device"):
        cache.set(*KEY, {"BLOCK_M": 128})
    assert cache.get(*KEY) == {"BLOCK_M": 128}
    assert ConfigCache(folder).get(*KEY) == CONFIG
    assert len(files(folder)) == 1


def test_threads_share_a_cache(cache: ConfigCache, folder: Path) -> None:
    errors: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for turn in range(10):
                cache.set("k", (number, turn), "cpu", {"n": number, "t": turn})
                cache.set("shared", (), "cpu", {"n": number, "t": turn})
                assert cache.get("k", (number, turn), "cpu") == {"n": number, "t": turn}
                assert set(cache.get("shared", (), "cpu") or {}) == {"n", "t"}
                cache.get_all_keys()
        except BaseException as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len(ConfigCache(folder).get_all_keys()) == 41


WRITER = """
import sys
from tilewright.autotuner import ConfigCache
cache = ConfigCache(sys.argv[1])
for turn in range(60):
    cache.set("shared", (1,), "cpu", {"who": sys.argv[2], "pad": sys.argv[2] * 500})
    cache.set("own", (int(sys.argv[2]), turn), "cpu", {"turn": turn})
    found = cache.get("shared", (1,), "cpu")
    assert found is not None and found["pad"] == found["who"] * 500, found
"""


def test_processes_share_a_folder(folder: Path) -> None:
    started = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", WRITER, str(folder), str(number)],
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in (1, 2)
    ]
    cache = ConfigCache(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        while any(process.poll() is None for process in started):
            found = cache.get("shared", (1,), "cpu")
            assert found is None or found["pad"] == found["who"] * 500
    for process in started:
        _, text = process.communicate()
        assert process.returncode == 0, text
    assert len(cache.get_all_keys()) == 121
