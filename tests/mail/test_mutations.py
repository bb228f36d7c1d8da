"""Ten thousand mails changed by chance: no crash, no wrong order, no answer to a robot."""

import pytest

from tests.mail import mutations
from tests.mail.mutations import SLOW, run


@pytest.mark.parametrize("seed", range(10))
def test_changed_mails_do_no_harm(seed: int) -> None:
    took = sorted(run(seed, 1000))
    assert len(took) == 1000
    # The machine may be busy: here only that it is nowhere near; `make soak` measures.
    assert took[989] < 10 * SLOW


def test_a_wrong_order_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong(mutations.Pad):
        def submit(self, who: object, text: str) -> None:
            self.acts.append(("submit", 0, text + "; 3: employee E77"))

    monkeypatch.setattr(mutations, "Pad", Wrong)
    with pytest.raises(AssertionError, match="never written"):
        run(0, 300)
