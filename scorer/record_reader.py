"""Read objects and lists of a record, and note every fault with its JSON Pointer instead of stopping at the first.

A legal stand-in replaces a value that cannot be read, so that the rest of the record can be read and checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from scorer.contract import UNKNOWN, Json, Problem, StateError
from scorer.record_value import MAX_NAME, MOST_ELEMENTS, REQUIRED, Options, Place, Value
from scorer.sentences import say
from scorer.spelling import Misspelled, named_by, nearest
from scorer.values import escape, shown


class Reader(Value):
    """Read a value of the record, and its fields or elements if it is an object or a list."""

    __slots__ = ("_asked",)

    def __init__(self, value: Json, place: Place | None = None, problems: list[Problem] | None = None) -> None:
        super().__init__(value, place, problems)
        self._asked: dict[str, Reader] = {}

    def field_named(self, key: str, options: Options) -> str | None:
        """Return the id among `options` that the field name `key` means, such as "pearls" for "Pearls". If it is
        spelled otherwise, note it as misspelled. Return None if it means no option, or if the correctly spelled
        field is there too."""
        if key in options:
            return key
        meant = named_by(key, options)
        if meant is None or meant in self.value:
            return None
        message = say("Enter {meant} instead of {value}.", meant=shown(meant), value=shown(key))
        place = f"{self.where}/{escape(key)}"
        self.problems.append(Misspelled("misspelled", message, place, meant=meant, is_key=True))
        return meant

    def has(self, key: str) -> bool:
        return isinstance(self.value, dict) and key in self.value

    def child(self, key: str, required: bool = False) -> Reader | None:
        """Return a reader of the field `key`, or None if it is absent, which is a fault if it is `required`."""
        found = self._asked.get(key)
        if found is None:
            if isinstance(self.value, dict) and key in self.value:
                found = self._asked[key] = Reader(self.value[key], (self.place, key), self.problems)
            elif required:
                message = say("Enter “{field}”.", field=key)
                self.fail("missing_field", message, f"{self.where}/{escape(key)}")
        return found

    def number(self, key: str, low: int, high: int, default: Any = REQUIRED, code: str = "bad_number") -> Any:
        found = self.child(key, required=default is REQUIRED)
        if found is None:
            return low if default is REQUIRED else default
        return found.as_number(low, high, code)

    def amount(self, key: str) -> int | None:
        """Return the count in the field `key`, or None if it is absent or no whole number; `validate` judges negative
        numbers."""
        found = self.child(key)
        return None if found is None else found.as_amount()

    def choice(self, key: str, options: Options, default: Any = REQUIRED, code: str = "unknown_option") -> Any:
        found = self.child(key, required=default is REQUIRED)
        if found is None:
            return next(iter(options)) if default is REQUIRED else default
        return found.as_choice(options, code)

    def flag(self, key: str, default: Any = REQUIRED) -> Any:
        found = self.child(key, required=default is REQUIRED)
        if found is None:
            return False if default is REQUIRED else default
        return found.as_flag()

    def text(self, key: str, default: Any = REQUIRED, longest: int = MAX_NAME) -> Any:
        found = self.child(key, required=default is REQUIRED)
        if found is None:
            return "" if default is REQUIRED else default
        return found.as_text(longest)

    def object(self, key: str, required: bool = True) -> Reader:
        """Return a reader of the object under `key`; an empty object stands in for anything else, which is a fault.
        Unless `required`, the field may be absent."""
        found = self.child(key, required)
        if found is None:
            return Reader({}, (self.place, key), self.problems)
        found.as_object()
        return found

    def elements(self, key: str, required: bool = True, most: int = MOST_ELEMENTS) -> list[Reader]:
        """Return readers of the elements of the list under `key`, at most the first `most`; more elements are a fault.
        Unless `required`, the field may be absent, which gives []."""
        found = self.child(key, required)
        return [] if found is None else found.as_list(most)

    def entries(self, key: str) -> Iterator[tuple[str, Reader]]:
        """Yield the name and reader of each field under `key`, an object whose field names are not known beforehand."""
        found = self.child(key)
        if found is None:
            return
        found.as_object()
        for name in found.bounded(MOST_ELEMENTS):
            entry = found.child(name)
            assert entry is not None
            yield name, entry

    def open_all(self, key: str, names: Iterable[str]) -> None:
        """If the value under `key` is UNKNOWN, replace it by an object with UNKNOWN for each of `names`."""
        found = self.child(key)
        if found is not None and found.value == UNKNOWN:
            found.correct(dict.fromkeys(names, UNKNOWN))

    def as_list(self, most: int = MOST_ELEMENTS) -> list[Reader]:
        """Return readers of the elements of this list, at most `most`; more elements are a fault."""
        if not isinstance(self.value, list):
            self.fail("unreadable", say("Enter a list. You entered {value}.", value=shown(self.value)))
            return []
        for index, element in enumerate(self.bounded(most)):
            self._asked.setdefault(str(index), Reader(element, (self.place, str(index)), self.problems))
        return list(self._asked.values())

    def finish(self, state: Any) -> None:
        """Note all fields that nobody read, at any depth, as faults, and raise StateError if there is any fault. The
        StateError carries `state`, what the game has read, with stand-ins for unreadable values."""
        self._note_unknown()
        if self.problems:
            raise StateError(self.problems, state)

    def _note_unknown(self) -> None:
        for asked in self._asked.values():
            if asked._asked or isinstance(asked.value, dict):
                asked._note_unknown()
        if isinstance(self.value, dict) and len(self._asked) < len(self.value):
            missing = self._missing()
            for key in self.value:
                if key not in self._asked:
                    self._fail_key(key, missing)

    def _missing(self) -> list[str]:
        """Return the names of the required fields that this object lacks."""
        places = [problem.where.rpartition("/") for problem in self.problems if problem.code == "missing_field"]
        return [key for around, _, key in places if around == self.where]

    def _fail_key(self, key: str, missing: list[str]) -> None:
        if self.field_named(key, missing):
            return
        near, field = nearest(key, missing), shown(key)
        message = say("Remove {field}. It isn’t a known field.", field=field)
        if near is not None:
            message = say("There is no {value} here. Did you mean {nearest}?", value=field, nearest=near)
        self.fail("unknown_field", message, f"{self.where}/{escape(key)}")
