# SPDX-License-Identifier: MIT
"""Records and arrays of records, in the memory that the library reads and writes. Nothing is converted.

A `Record` is one struct. `Records` are several in a row: a sequence of records, and a NumPy structured array over the
same memory if NumPy is there.
"""

from __future__ import annotations

from operator import attrgetter
from typing import (TYPE_CHECKING, Any, ClassVar, Dict, FrozenSet, Generic, Iterator, List, Optional, Sequence, Tuple,
                    Type, TypeVar, Union, overload)

from vcsched.library import NULL, describe_fault, ffi, lib, library_fields, text

if TYPE_CHECKING:
    from typing import Protocol

    import numpy

    class NumpyArray(Protocol):
        """A NumPy array, as far as a type checker has to know it."""

        @property
        def dtype(self) -> Any: ...

        @property
        def __array_interface__(self) -> Dict[str, Any]: ...

_R = TypeVar("_R", bound="Record")

_NUMPY_FORMATS = {"f64": "f8", "u64": "u8", "i64": "i8", "u32": "u4", "i32": "i4"}


def struct_number(struct: str) -> int:
    """VCS_TYPE_* of a struct."""
    return int(getattr(lib, f"VCS_TYPE_{struct.upper()}"))


class Record:
    """One struct of the library. The fields are attributes; a field that is not given has its default."""

    __slots__ = ("_c", "_memory")
    _c: Any
    _memory: Any

    _struct: ClassVar[str] = ""
    _pointer: ClassVar[Any] = None
    _array: ClassVar[Any] = None
    _size: ClassVar[int] = 0
    _sized: ClassVar[bool] = False
    _defaults: ClassVar[Dict[str, Any]] = {}
    _enums: ClassVar[Dict[str, Any]] = {}
    _like: ClassVar[Dict[str, str]] = {}
    _undefined: ClassVar[FrozenSet[str]] = frozenset()
    _shows_zeros: ClassVar[bool] = False
    _places: ClassVar[FrozenSet[str]] = frozenset()
    _dtype: ClassVar[Optional[Any]] = None
    fields: ClassVar[Tuple[str, ...]] = ()
    """The names of its fields."""

    def __init_subclass__(cls, struct: str = "", defaults: Optional[Dict[str, Any]] = None,
                          enums: Optional[Dict[str, Any]] = None, undefined: Optional[Dict[str, int]] = None,
                          meanings: Optional[Dict[str, str]] = None, like: Optional[Dict[str, str]] = None,
                          shows_zeros: bool = False, places: Tuple[str, ...] = (), **unused: Any) -> None:
        super().__init_subclass__(**unused)
        if not struct:
            return
        c_type = ffi.typeof(f"vcs_{struct}")
        cls._struct = struct
        cls._pointer = ffi.typeof(f"vcs_{struct} *")
        cls._array = ffi.typeof(f"vcs_{struct}[]")
        cls._size = ffi.sizeof(c_type)
        cls._defaults = defaults or {}
        cls._enums = enums or {}
        cls._like = like or {}
        cls._shows_zeros = shows_zeros
        cls._places = frozenset(places)
        units = {name: text(field.unit) for name, field in library_fields(struct_number(struct)).items()}
        names = []
        for name, field in c_type.fields:
            if name == "struct_size":
                cls._sized = True
            elif not name.startswith("reserved"):
                names.append(name)
                attribute = _descriptor(cls.__name__, name, field.type)
                if name in (undefined or {}):
                    attribute = _defined(name, (undefined or {})[name], attribute)
                setattr(cls, name, _described(attribute, (meanings or {}).get(name, ""), units.get(name, "")))
        cls._undefined = frozenset(undefined or ())
        cls.fields = tuple(names)

    @classmethod
    def _blank(cls: Type[_R]) -> _R:
        """A record for the library to fill in."""
        record = cls.__new__(cls)
        record._c = ffi.new(cls._pointer)
        if cls._sized:
            record._c.struct_size = cls._size
        return record

    @classmethod
    def _at(cls: Type[_R], pointer: Any, memory: Any) -> _R:
        """The record at a place in memory that something else owns."""
        record = cls.__new__(cls)
        record._c = pointer
        record._memory = memory
        return record

    def _make(self, values: Dict[str, Any]) -> None:
        """Takes the values of its fields."""
        if self._sized:
            values["struct_size"] = self._size
        try:
            self._c = ffi.new(self._pointer, values)
        except (TypeError, OverflowError):
            self._c = ffi.new(self._pointer)
            if self._sized:
                del values["struct_size"]
                self._c.struct_size = self._size
            self._change(values)

    def _change(self, values: Dict[str, Any]) -> None:
        """Sets those fields that are not None."""
        for name, value in values.items():
            if value is not None:
                setattr(self, name, value)

    def asdict(self) -> Dict[str, Any]:
        """The fields by name."""
        return {name: getattr(self, name) for name in self.fields}

    def copy(self: _R) -> _R:
        """Another record with the same values."""
        return self._copy_of(self._c)

    @classmethod
    def _copy_of(cls: Type[_R], pointer: Any) -> _R:
        """A copy of a record of the library's."""
        record = cls.__new__(cls)
        record._c = ffi.new(cls._pointer, pointer[0])
        if cls._sized:
            record._c.struct_size = cls._size  # that of a newer library may be larger
        return record

    def replace(self: _R, **changes: Any) -> _R:
        """Another record with some other values."""
        other = self.copy()
        for name, value in changes.items():
            if name not in self.fields:
                raise TypeError(f"{type(self).__name__} has no field {name!r}")
            setattr(other, name, value)
        return other

    def __bytes__(self) -> bytes:
        return bytes(ffi.buffer(self._c, self._size))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return bytes(self) == bytes(other)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> "Tuple[Any, ...]":
        return _from_bytes, (type(self), bytes(self))

    def __repr__(self) -> str:
        shown = []
        for name in self.fields:
            value = getattr(self, name)
            may_be_none = name in self._places
            # The first of several is no default where there may be none.
            default = self._defaults.get(name) if may_be_none else self._defaults.get(name, type(value)())
            if self._shows_zeros or value != default:
                is_none = may_be_none and value == lib.VCS_NONE
                shown.append(f"{name}={None if is_none else show(value, self._enums.get(name))}")
        return f"{type(self).__name__}({', '.join(shown)})"

    @classmethod
    def array(cls, count: int) -> "numpy.ndarray[Any, Any]":
        """A NumPy structured array of this many records, all with the defaults."""
        numpy = _numpy()
        if numpy is None:
            raise ImportError(f"{cls.__name__}.array() needs NumPy; {cls.__name__}.records() does not")
        found = numpy.zeros(count, cls.dtype())
        for name, value in cls._initial_values().items():
            found[name] = value
        return found  # type: ignore[no-any-return]

    @classmethod
    def records(cls: Type[_R], count: int) -> "Records[_R]":
        """This many records in a row, all with the defaults."""
        made = Records(cls, count)
        for name, value in cls._initial_values().items():
            for index in range(count):
                setattr(made._base[index], name, value)
        return made

    @classmethod
    def _initial_values(cls) -> Dict[str, Any]:
        values = dict(cls._defaults)
        if cls._sized:
            values["struct_size"] = cls._size
        return values

    @classmethod
    def dtype(cls) -> Any:
        """The NumPy type of the struct, made of the library's own table of fields. Reserved fields must stay 0."""
        if "_dtype" not in cls.__dict__ or cls._dtype is None:
            numpy = _numpy()
            table = [(name, field) for name, field in library_fields(struct_number(cls._struct)).items()
                     if field.offset < cls._size]  # a newer library has more
            cls._dtype = numpy.dtype({
                "names": [name for name, _ in table],
                "formats": [_numpy_format(field) for _, field in table],
                "offsets": [field.offset for _, field in table],
                "itemsize": cls._size})
        return cls._dtype


def _from_bytes(kind: Type[_R], content: bytes) -> _R:
    """A record of its bytes, for pickle."""
    record = kind._blank()
    ffi.memmove(record._c, content, kind._size)
    return record


def show(value: Any, names: Any) -> str:
    """A value in a representation: constants by name."""
    if names is None or not isinstance(value, int):
        return repr(value)
    try:
        name = names(value).name
    except ValueError:
        return repr(value)
    return f"{names.__name__}.{name}" if name else repr(value)


def _descriptor(record: str, name: str, c_type: Any) -> property:
    """The attribute for one field."""
    if c_type.kind == "primitive":
        return property(attrgetter(f"_c.{name}"), _setter(record, name, c_type.cname))
    if c_type.kind == "struct":
        return _inner_record(name, c_type.cname.rpartition("vcs_")[2])
    if c_type.item.cname == "char":
        return property(lambda self: text(getattr(self._c, name)))
    return property(lambda self: tuple(getattr(self._c, name)))


def _defined(name: str, flag: int, whole: property) -> property:
    """The attribute for a field that has no value where a flag says so: None, so that nobody takes it for a number."""
    return property(lambda self: None if self._c.flags & flag else getattr(self._c, name), whole.fset)


def _described(attribute: property, meaning: str, unit: str) -> property:
    """The attribute with what help() says of it: the words of the header, and the unit that the library has."""
    described = f"{meaning} (unit: {unit})" if unit else meaning
    return property(attribute.fget, attribute.fset, None, described)


def _setter(record: str, name: str, c_type: str) -> Any:
    choices = parameter_choices(name) if record == "Parameters" else {}

    def set_field(self: Record, value: Any) -> None:
        if choices and isinstance(value, str):
            if value not in choices:
                raise ValueError(f"{record}.{name} must be one of {', '.join(choices)}, not {value!r}")
            value = choices[value]
        try:
            setattr(self._c, name, value)
        except (TypeError, OverflowError) as reason:
            raise type(reason)(f"{record}.{name} {describe_fault(value, c_type) or reason}") from None

    return set_field


def parameter_choices(name: str) -> Dict[str, int]:
    """The values of a parameter that is a choice, by name; the profiles too."""
    if name == "profile":
        return {text(lib.vcs_profile_name(number)): number for number in range(lib.VCS_PROFILE_COUNT)}
    row = lib.vcs_parameter_find(name.encode("ascii"))
    found = {}
    if row != lib.VCS_NONE:
        info = ffi.new("vcs_parameter_info *", {"struct_size": ffi.sizeof("vcs_parameter_info")})
        lib.vcs_parameter_at(row, info)
        values = range(int(info.minimum), int(info.maximum) + 1) if info.choices else ()
        found = {text(lib.vcs_parameter_choice(row, value)): value for value in values}
    return {choice: value for choice, value in found.items() if choice}


def number_of_profile(profile: Union[int, str]) -> int:
    """VCS_PROFILE_* of a profile, which may be given by name."""
    if not isinstance(profile, str):
        return profile
    known = parameter_choices("profile")
    if profile not in known:
        raise ValueError(f"profile must be one of {', '.join(known)}, not {profile!r}")
    return known[profile]


_KINDS: Dict[str, Type[Record]] = {}


def register(*kinds: Type[Record]) -> None:
    """Registers the classes of structs that are members of others."""
    _KINDS.update({kind._struct: kind for kind in kinds})


def _inner_record(name: str, struct: str) -> property:
    def get(self: Record) -> Record:
        return _KINDS[struct]._at(ffi.addressof(self._c, name), self)

    def set_field(self: Record, value: Record) -> None:
        kind = _KINDS[struct]
        if not isinstance(value, kind):
            raise TypeError(f"{type(self).__name__}.{name} must be {kind.__name__}, not {type(value).__name__}")
        setattr(self._c, name, value._c[0])

    return property(get, set_field)


def _numpy() -> Any:
    """NumPy, if it is installed."""
    try:
        import numpy
    except ImportError:
        return None
    return numpy


def _numpy_format(field: Any) -> Any:
    kind = text(field.kind)
    if kind in _NUMPY_FORMATS:
        width = int(_NUMPY_FORMATS[kind][1])
        return "=" + _NUMPY_FORMATS[kind] if field.size == width else ("=" + _NUMPY_FORMATS[kind], field.size // width)
    if text(field.name).rpartition(".")[2].startswith("reserved"):
        return "=u4" if field.size == 4 else ("=u8", (field.size // 8,))
    return f"S{field.size}"


_ARRAY = ffi.typeof("vcs_array *")


def array_members(base: Any, element_size: int, count: int) -> "dict[str, Any]":
    """The members of a vcs_array."""
    return {"base": base, "element_size": element_size, "count": count}


class Records(Sequence[_R], Generic[_R]):
    """Records in a row. An element is a record that shares the memory: a change of one is a change of the other."""

    __slots__ = ("_kind", "_owner", "_start", "_base", "_count")

    def __init__(self, kind: Type[_R], count: int) -> None:
        self._kind = kind
        self._owner = ffi.new(kind._array, count)
        self._start = 0
        self._base = self._owner
        self._count = count

    def _as_array(self) -> Any:
        """A vcs_array of it, which does not keep the memory alive."""
        return ffi.new(_ARRAY, array_members(self._base, self._kind._size, self._count))

    @property
    def kind(self) -> Type[_R]:
        """The class of the records. It cannot be set: the library would take the memory for what it is not."""
        return self._kind

    @overload
    def __getitem__(self, index: int) -> _R: ...

    @overload
    def __getitem__(self, index: slice) -> "Records[_R]": ...

    def __getitem__(self, index: Union[int, slice]) -> "Union[_R, Records[_R]]":
        if isinstance(index, slice):
            start, stop, step = index.indices(self._count)
            if step != 1:
                raise ValueError("records are taken in a row: the step must be 1")
            return self._part(start, max(0, stop - start))
        whole = index.__index__()
        if not -self._count <= whole < self._count:
            raise IndexError(f"{self._kind.__name__} {whole} of {self._count}")
        return self._kind._at(self._base + whole % self._count, self._owner)

    def _part(self, start: int, count: int) -> "Records[_R]":
        part = Records.__new__(Records)
        part._kind, part._owner, part._count = self._kind, self._owner, count
        part._start, part._base = self._start + start, self._base + start
        return part

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[_R]:
        for index in range(self._count):
            yield self._kind._at(self._base + index, self._owner)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Records):
            return self._kind is other._kind and bytes(self) == bytes(other)
        if isinstance(other, list):
            return len(other) == self._count and all(mine == theirs for mine, theirs in zip(self, other))
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __bytes__(self) -> bytes:
        return bytes(self._bytes())

    def __reduce__(self) -> "Tuple[Any, ...]":
        return _records_from_bytes, (self._kind, bytes(self))

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self[:10]))
        return f"[{shown}{', ...' if self._count > 10 else ''}]"

    def _bytes(self) -> memoryview:
        """The memory, which it keeps alive."""
        size = self._kind._size
        return memoryview(ffi.buffer(self._owner))[self._start * size:(self._start + self._count) * size]

    def column(self, name: str) -> List[Any]:
        """One field of all records."""
        if name not in self._kind.fields:
            raise TypeError(f"{self._kind.__name__} has no field {name!r}")
        return [getattr(record, name) for record in self]

    @property
    def array(self) -> "numpy.ndarray[Any, Any]":
        """The records as a NumPy structured array over the same memory. ImportError without NumPy."""
        import numpy
        return numpy.frombuffer(self._bytes(), self._kind.dtype()) if self._count else self._kind.array(0)

    def __array__(self, dtype: Any = None, copy: Any = None) -> "numpy.ndarray[Any, Any]":
        found = self.array
        if dtype is None or dtype == found.dtype:
            return found.copy() if copy else found
        if copy is False:
            raise ValueError(f"records of {self._kind.__name__} cannot become an array of {dtype} without a copy")
        return found.astype(dtype)


def _records_from_bytes(kind: Type[_R], content: bytes) -> Records[_R]:
    """Records of their bytes, for pickle."""
    found = Records(kind, len(content) // kind._size)
    ffi.memmove(found._owner, content, len(content))
    return found


# ---- Arguments ----


class Borrowed:
    """An array of records as the library takes it: where it begins, how long an element is, how many there are."""

    __slots__ = ("pointer", "size", "count", "_list")

    def __init__(self, pointer: Any, size: int, count: int, copied: Optional[Sequence[Record]] = None) -> None:
        self.pointer = pointer
        self.size = size
        self.count = count
        self._list = copied

    def as_array(self) -> Any:
        """A vcs_array of it, which does not keep the memory alive."""
        return ffi.new(_ARRAY, self.members())

    def members(self) -> "dict[str, Any]":
        """The members of such a vcs_array."""
        return array_members(self.pointer, self.size, self.count)

    def give_back(self) -> None:
        """Copies what the library changed back to the records of a list, which were copied into contiguous memory."""
        if self._list is not None:
            for index, record in enumerate(self._list):
                record._c[0] = self.pointer[index]


def borrow(values: Any, kind: Type[Record], name: str, writable: bool = False) -> Borrowed:
    """Records of any form as an array of the library's. Only records of a plain list are copied."""
    if type(values) is Records:
        if values._kind is not kind:
            raise TypeError(f"{name} must be records of {kind.__name__}, not of {values._kind.__name__}")
        return Borrowed(values._base, kind._size, values._count)
    if hasattr(type(values), "__array_interface__"):  # an array would make it again each time
        return _borrow_array(values, kind, name, writable)
    if isinstance(values, (str, bytes)) or not isinstance(values, Sequence):
        raise TypeError(f"{name} must be a sequence of {kind.__name__} or a NumPy array of {kind.__name__}.dtype(), "
                        f"not {type(values).__name__}")
    return _borrow_list(values, kind, name, writable)


def _borrow_list(given: Sequence[Any], kind: Type[Record], name: str, writable: bool) -> Borrowed:
    values = list(given)  # which nobody else can change meanwhile
    memory = ffi.new(kind._array, len(values))
    for index, record in enumerate(values):
        if type(record) is not kind:
            found = "None" if record is None else type(record).__name__
            raise TypeError(f"{name}[{index}] must be {kind.__name__}, not {found}")
        memory[index] = record._c[0]
    return Borrowed(memory, kind._size, len(values), values if writable else None)


def _borrow_array(values: Any, kind: Type[Record], name: str, writable: bool) -> Borrowed:
    wanted = kind.dtype()
    if not isinstance(values, _numpy().ndarray):
        raise TypeError(f"{name} must be a NumPy array or a sequence, not {type(values).__name__}")
    refuse_mask(values, name)
    if values.dtype is not wanted and values.dtype != wanted:
        raise TypeError(f"{name} must be of {kind.__name__}.dtype(), with {wanted.itemsize} bytes an element; this is "
                        f"of {_summary(values.dtype)}")
    if values.ndim != 1:
        raise ValueError(f"{name} must have one dimension, not {values.ndim}")
    if not values.flags.c_contiguous:
        raise ValueError(f"{name} must be contiguous: pass a copy()")
    if writable and not values.flags.writeable:
        raise ValueError(f"{name} is changed by this function and must not be read-only")
    if values.size == 0:
        return Borrowed(NULL, kind._size, 0)
    pointer = ffi.from_buffer(kind._array, values)
    if int(ffi.cast("uintptr_t", pointer)) % 8:
        raise ValueError(f"{name} must be aligned to 8 bytes: pass a copy()")
    return Borrowed(pointer, kind._size, values.size)


def refuse_mask(values: Any, name: str) -> None:
    """A masked array of NumPy's says that some elements do not count, which nobody would look at here."""
    if hasattr(type(values), "mask"):
        raise TypeError(f"{name} has a mask, which would be ignored: pass compressed() or filled()")


def _summary(dtype: Any) -> str:
    if dtype.names is None:
        return str(dtype)
    return f"a structured type of {len(dtype.names)} fields and {dtype.itemsize} bytes an element"


def apart(*arrays: Tuple[str, Borrowed]) -> None:
    """What a function changes must not lie in the memory of something else that it is given."""
    (changed, first), *others = arrays
    begin = int(ffi.cast("uintptr_t", first.pointer))
    for name, other in others:
        start = int(ffi.cast("uintptr_t", other.pointer))
        if begin < start + other.size * other.count and start < begin + first.size * first.count:
            raise ValueError(f"{name} lies in the memory of {changed}, which this function changes: pass a copy()")


def same_count(*arrays: Tuple[str, int]) -> None:
    """Arrays that go together must be of one length."""
    first, count = arrays[0]
    for name, other in arrays[1:]:
        if other != count:
            raise ValueError(f"{name} has {other} elements, but {first} has {count}")


def numbers(values: Sequence[int], c_type: str, name: str) -> Any:
    """Plain numbers as an array of the library's."""
    refuse_mask(values, name)
    try:
        return ffi.new(f"{c_type}[]", [value.__index__() for value in values])
    except (TypeError, OverflowError, AttributeError):
        if not isinstance(values, Sequence) and not hasattr(type(values), "__array_interface__"):
            raise TypeError(f"{name} must be a sequence of numbers, not {type(values).__name__}") from None
        for index, value in enumerate(values):
            fault = describe_fault(value, c_type)
            if fault:
                raise TypeError(f"{name}[{index}] {fault}") from None
        raise
