import dataclasses
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pods.command_text import words_of
from pods.options import NAME, OPTIONS, Complaint, Kind, Option
from pods.order import Cloud, Order, OrderDefaults
from pods.ordering import cautions, order_of
from pods.wish import Wish, request_of, wish_from_command, wish_from_form, wish_from_request

DEFAULTS = OrderDefaults(image="runpod/pytorch:pinned", gpu="A40")
PLAIN = Order(name="a", gpus=("A40",), image="runpod/pytorch:pinned", disk_gb=50)
REPO = {"repo": "https://github.com/team/code"}


def ordered(text: str, defaults: OrderDefaults = DEFAULTS) -> Order:
    order = order_of(wish_from_command(words_of(text)), defaults)
    assert isinstance(order, Order), [str(complaint) for complaint in order]
    return order


def complaints(text: str, defaults: OrderDefaults = DEFAULTS) -> list[str]:
    order = order_of(wish_from_command(words_of(text)), defaults)
    assert isinstance(order, tuple), order
    return [str(complaint) for complaint in order]


@pytest.mark.parametrize(
    ("typed", "changed"),
    [
        ("--gpu H100", {"gpus": ("H100",)}),
        ("--gpu H100,A100", {"gpus": ("H100", "A100")}),
        ("--gpu H100, A100", {"gpus": ("H100", "A100")}),
        ('--gpu "RTX 4090"', {"gpus": ("RTX 4090",)}),
        ("--count 8", {"count": 8}),
        ("--image ghcr.io/a/b:1", {"image": "ghcr.io/a/b:1"}),
        ("--template 30zm", {"template": "30zm", "image": None, "disk_gb": None}),
        ("--repo https://github.com/team/code", REPO),
        ("--repo https://github.com/team/code --branch x/y", {**REPO, "branch": "x/y"}),
        ("--task 'a b'", {"task": "a b"}),
        ("--for 8h", {"lifetime": timedelta(hours=8)}),
        ("--for 2 days", {"lifetime": timedelta(days=2)}),
        ("--disk 80", {"disk_gb": 80}),
        ("--volume 200", {"volume_gb": 200}),
        ("--network-volume vol_1", {"network_volume": "vol_1"}),
        ("--dc eu-ro-1,US-TX-3", {"data_centers": ("EU-RO-1", "US-TX-3")}),
        ("--cloud community", {"cloud": Cloud.COMMUNITY}),
        ("--env A=1 --env B=x=y", {"env": (("A", "1"), ("B", "x=y"))}),
        ("--env A=", {"env": (("A", ""),)}),
        ("--port 8888/http --port 9/tcp --port 22/tcp", {"ports": ("8888/http", "9/tcp")}),
        ("--wait-capacity 2h", {"wait_capacity": timedelta(hours=2)}),
        ("--overlay-venv", {"overlay_venv": True}),
        ("--keep-on-bootstrap-failure", {"keep_on_bootstrap_failure": True}),
    ],
)
def test_an_option_changes_what_it_says_and_nothing_else(typed: str, changed: dict[str, object]) -> None:
    assert ordered(f"a {typed}") == dataclasses.replace(PLAIN, **changed)  # type: ignore[arg-type]


def needed(option: Option) -> dict[str, tuple[str, ...]]:
    """What else must be given for this option to make sense."""
    extra = {"branch": {"repo": ("https://github.com/team/code",)}}.get(option.name, {})
    return {NAME: ("a",), **extra}


def example(option: Option) -> tuple[str, ...]:
    return ("yes",) if option.kind is Kind.FLAG else (option.example,)


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_no_option_is_lost_between_wish_and_order(option: Option) -> None:
    without = order_of(Wish(needed(option)), DEFAULTS)
    with_it = order_of(Wish({**needed(option), option.name: example(option)}), DEFAULTS)
    assert isinstance(with_it, Order)
    assert with_it != without


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_every_door_makes_the_same_wish_of_an_option(option: Option) -> None:
    wish = Wish({**needed(option), option.name: example(option)})
    typed = " ".join(
        f"--{name}" if option.kind is Kind.FLAG and name == option.name else f"--{name} {values[0]}"
        for name, values in wish.values.items()
        if name != NAME
    )
    by_command = wish_from_command(words_of(f"{wish.values[NAME][0]} {typed}"))
    by_form = wish_from_form({name: "\n".join(values) for name, values in wish.values.items()})
    by_request = wish_from_request(request_of(wish))
    orders = {order_of(door, DEFAULTS) for door in (by_command, by_form, by_request)}
    assert orders == {order_of(wish, DEFAULTS)}


@given(
    st.dictionaries(
        st.sampled_from([o.name for o in OPTIONS if o.kind is not Kind.FLAG]), st.text(max_size=30)
    )
)
def test_a_request_carries_every_value_unchanged(values: dict[str, str]) -> None:
    wish = Wish({name: (value,) for name, value in values.items()})
    assert wish_from_request(request_of(wish)) == wish


@given(st.text(max_size=120))
def test_any_text_is_an_order_or_a_list_of_complaints(text: str) -> None:
    order = order_of(wish_from_command(text.split()), DEFAULTS)
    assert isinstance(order, Order) or (order and all(isinstance(one, Complaint) for one in order))


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "The pod needs a name"),
        ("a b", "There is more than one name: `a` and `b`"),
        (
            "a --gpuu H100",
            "There is no option `--gpuu`; did you mean `--gpu`? For example: `--gpu H100,A100`",
        ),
        ("a -gpu H100", "There is no option `-gpu`; did you mean `--gpu`?"),
        ("a --network_volume", "`--network-volume` needs a value"),
        ("a --gpu --count 2", "`--gpu` needs a value"),
        ("a --branch x --branch y", "`--branch` is given twice: `x` and `y`"),
        ("a --repo https://h/x --branch ''", "The value is empty"),
        ("a --branch x", "The branch `x` needs a repository to come from; add `--repo`"),
        ("a --repo https://h/x --branch a..b", "`a..b` cannot be the name of a branch"),
        ("a --count 0", "`0` is out of bounds; it can be 1 to 8 GPUs. For example: `--count 2`"),
        ("a --count 99", "`99` is out of bounds"),
        ("a --count two", "`two` is not a whole number"),
        ("a --for 0s", "`0s` is no time at all"),
        ("a --for 31d", "`31d` is too long; there can be 30d"),
        ("a --for soon", "`soon` is not a duration"),
        ("a --wait-capacity 0m", "`0m` is no time at all"),
        ("a --disk 0", "`0` is out of bounds; it can be 1 to 20,000 GB"),
        ("a --volume 5", "`5` is out of bounds; it can be 10 to 20,000 GB"),
        ("a --volume 50 --network-volume v", "`--volume` and `--network-volume` exclude each other"),
        ("a --image b --template c", "`--image` and `--template` exclude each other"),
        ("a --cloud secur", "There is no cloud `secur`; did you mean `secure`? For example"),
        ("a --cloud moon", "There is no cloud `moon`; it is `secure` or `community`"),
        ("a --env 1A=x", "`1A` is not NAME=VALUE"),
        ("a --env A", "`A` is not NAME=VALUE"),
        ("a --env A=1 --env A=2", "`A` is given twice"),
        ("a --env PODKEEPER_DISK=/x", "`PODKEEPER_DISK` is set by the service itself"),
        ("a --env public_key=x", "`public_key` is set by the service itself"),
        ("a --port 22", "`22` is no port"),
        ("a --port 70000/tcp", "`70000/tcp` is no port"),
        ("a --port 53/udp", "`53/udp` is no port"),
        ("a --repo ext::sh", "`ext::sh` is no repository address"),
        ("a --repo ftp://h/x", "`ftp://h/x` is no repository address"),
        ("a --repo /srv/code", "`/srv/code` is no repository address"),
        ("a --repo -oProxyCommand=x", "`-oProxyCommand=x` is no repository address"),
        ("a --repo https://me:pw@h/x", "has a name or token in it"),
        ("a --gpu H100,,A100", "`H100,,A100` has an empty place between its commas"),
        ("a --dc moon!", "is not the id of a data centre"),
        ('my"pod"😀', "the name contains the symbol 😀"),
    ],
)
def test_a_wrong_order_is_answered_with_what_is_wrong_and_what_would_be_right(typed: str, said: str) -> None:
    answers = complaints(typed)
    assert any(said.lower() in answer.lower() for answer in answers), answers
    assert all("For example: `" in answer for answer in answers)


def test_everything_wrong_is_said_at_once() -> None:
    assert len(complaints("A! --count 0 --for 0s --cloud x --nope")) == 5


def test_without_a_default_a_gpu_must_be_said() -> None:
    assert complaints("a", OrderDefaults(image="i")) == [
        "Say which GPU you want. For example: `--gpu H100,A100`"
    ]


def test_an_order_that_does_not_say_means_the_defaults() -> None:
    defaults = OrderDefaults(image="i", gpu="X,Y", disk_gb=7, repo="https://h/x", overlay_venv=True)
    order = ordered("a", defaults)
    assert (order.image, order.gpus, order.disk_gb, order.repo, order.overlay_venv) == (
        "i",
        ("X", "Y"),
        7,
        "https://h/x",
        True,
    )


@pytest.mark.parametrize(
    "repo",
    ["https://h/x", "http://h/x.git", "ssh://git@h:22/x", "git@h.com:team/code.git", "file:///srv/code"],
)
def test_every_scheme_of_the_contract_is_accepted(repo: str) -> None:
    assert ordered(f"a --repo {repo}").repo == repo


def test_a_form_left_empty_asks_for_the_name() -> None:
    wish = wish_from_form(dict.fromkeys((option.name for option in OPTIONS), None))
    order = order_of(wish, DEFAULTS)
    assert isinstance(order, tuple)
    assert [complaint.option for complaint in order] == [NAME]


def test_a_form_takes_several_variables_one_a_line() -> None:
    order = order_of(wish_from_form({NAME: "a", "env": "A=1\nB=two words\n"}), DEFAULTS)
    assert isinstance(order, Order)
    assert order.env == (("A", "1"), ("B", "two words"))


@pytest.mark.parametrize(("word", "meant"), [("Yes", True), ("on", True), ("no", False)])
def test_a_flag_in_the_form_is_a_word(word: str, meant: bool) -> None:
    order = order_of(wish_from_form({NAME: "a", "overlay-venv": word}), DEFAULTS)
    assert isinstance(order, Order)
    assert order.overlay_venv is meant


def test_a_flag_that_is_neither_yes_nor_no_is_refused() -> None:
    order = order_of(wish_from_form({NAME: "a", "overlay-venv": "maybe"}), DEFAULTS)
    assert isinstance(order, tuple)
    assert "neither `yes` nor `no`" in str(order[0])


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("count", True),
        ("count", 1.5),
        ("gpu", {}),
        ("gpu", [1]),
        ("env", {"A": 1}),
        ("overlay_venv", 3),
        ("repo", []),
    ],
)
def test_a_request_of_the_wrong_type_names_the_field(key: str, value: object) -> None:
    order = order_of(wish_from_request({"name": "a", key: value}), DEFAULTS)
    assert isinstance(order, tuple)
    assert [complaint.field for complaint in order] == [f"data.{key}"]


def test_a_request_takes_types_as_programs_write_them() -> None:
    data = {
        "name": "a",
        "gpu": ["H100", "A100"],
        "count": 2,
        "env": {"A": "b=c"},
        "overlay_venv": True,
        "task": None,
    }
    order = order_of(wish_from_request(data), DEFAULTS)
    assert order == dataclasses.replace(
        PLAIN, gpus=("H100", "A100"), count=2, env=(("A", "b=c"),), overlay_venv=True
    )


def test_unknown_fields_of_a_request_are_named() -> None:
    wish = wish_from_request({"name": "a", "colour": "red", "channel": "C1", "notify": "U1"})
    assert wish.ignored == ("colour",)


def test_a_variable_that_looks_like_a_secret_is_remarked_upon() -> None:
    order = ordered("a --env HF_TOKEN=x --env EPOCHS=3")
    assert cautions(order) == (
        "`HF_TOKEN` looks like a secret. Everybody on the RunPod account can read a pod's environment.",
    )


def test_a_huge_value_is_cut_in_the_answer() -> None:
    order = order_of(wish_from_request({"name": "a", "repo": "x" * 200_000}), DEFAULTS)
    assert isinstance(order, tuple)
    assert len(str(order[0])) < 400
