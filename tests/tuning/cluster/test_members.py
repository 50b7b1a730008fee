"""Which workers of a cluster are used."""

from __future__ import annotations

import platform
from dataclasses import asdict

import pytest

from tilewright.ir.errors import UserError
from tilewright.tuning.cluster.members import Card, chosen_card, member_from
from tilewright.tuning.results.records import Versions


def described(**changes: object) -> dict[str, object]:
    return {
        "host": "node1",
        "threads": 8,
        "resources": {"GPU": 1},
        "python": platform.python_version(),
        **asdict(Versions.current()),
        **changes,
    }


def test_the_same_versions_are_used() -> None:
    member = member_from("tcp://a:1", described())
    assert not member.unusable
    assert (member.threads, member.gpus, member.host) == (8, 1, "node1")
    # A compile worker may have torch without CUDA, and another patch of Python.
    ours = Versions.current().torch.split("+")[0]
    assert not member_from("tcp://a:1", described(torch=f"{ours}+none")).unusable
    minor = platform.python_version().rsplit(".", 1)[0]
    assert not member_from("tcp://a:1", described(python=f"{minor}.99")).unusable


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"python": "3.9.1"}, "has python 3.9, and this machine has 3."),
        ({"torch": "1.0"}, "has torch 1.0, and this machine has"),
        ({"triton": "2.1.0"}, "has triton 2.1.0, and this machine has"),
        ({"tilewright": "0.0.1"}, "has tilewright 0.0.1, and this machine has"),
        ({"sources": "abc"}, "has another state of tilewright's sources"),
        ({"missing": "No module named 'xdsl'"}, "has no tilewright: No module named"),
    ],
)
def test_other_versions_are_refused(changes: dict[str, object], reason: str) -> None:
    assert reason in member_from("tcp://a:1", described(**changes)).unusable


def test_a_worker_that_does_not_answer_is_not_used() -> None:
    assert "does not answer: gone" in member_from("tcp://a:1", OSError("gone")).unusable


def test_one_kind_of_card_is_chosen() -> None:
    cards = [Card(name, None, "") for name in ("NVIDIA A100", "NVIDIA H200")]
    cards.append(cards[1])
    assert chosen_card(cards, None).name == "NVIDIA H200"
    assert chosen_card(cards, "a100").name == "NVIDIA A100"
    with pytest.raises(UserError, match="no card of the cluster") as caught:
        chosen_card(cards, "B200")
    assert "NVIDIA A100, NVIDIA H200" in str(caught.value)
    with pytest.raises(UserError, match="several cards"):
        chosen_card(cards, "nvidia")
