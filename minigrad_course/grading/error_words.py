"""Explains Python's own errors in words, for an answer that stopped with one and for which no better hint is known."""

from __future__ import annotations

import re

# (class of the error, pattern in its text, what it says). The first that fits is taken.
MEANINGS: tuple[tuple[str, str, str], ...] = (
    ("UnboundLocalError", r"variable '?(\w+)",
     "`{0}` is read before anything was put into it. What should it start with?"),
    ("NameError", r"name '(\w+)'", "Python knows no `{0}`: a slip in the name, or a line that has not run?"),
    ("TypeError", r"'NoneType' object is not callable",
     "Brackets () stand behind something that is None, which cannot be called. Has everything here a function?"),
    ("TypeError", r"NoneType", "Something here is None, mostly because a function ended without `return`."),
    ("AttributeError", r"NoneType", "Something here is None, mostly because a function ended without `return`."),
    ("TypeError", r"'([\w.]+)' object is not callable",
     "Brackets () stand behind something of type {0}, which is no function: is [] meant?"),
    ("TypeError", r"(takes|missing|got an unexpected).*argument",
     "A function is called with other arguments than it takes: how many, and in which order?"),
    ("TypeError", r"cannot unpack|not enough values|too many values",
     "One thing came where several were to be taken apart: what does the function on the right return?"),
    ("ValueError", r"not enough values|too many values",
     "Another number of things came than there are names for them."),
    ("TypeError", r"can't multiply sequence|can only concatenate list|operand.*'list'",
     "A list takes part in arithmetic. For lists + joins and * repeats; np.array(...) computes entry by entry."),
    ("TypeError", r"unsupported operand type.*(function|ufunc|method|descriptor)",
     "A function itself takes part in arithmetic, or an attribute of a type: is it to be called, with brackets?"),
    ("TypeError", r"unsupported operand type.*'([\w.]+)' and '([\w.]+)'",
     "Types {0} and {1} meet in arithmetic. Which of the two should be something else by then?"),
    ("TypeError", r"'([\w.]+)' object is not subscriptable",
     "[] stands behind something of type {0}, which has no entries."),
    ("TypeError", r"'([\w.]+)' object is not iterable",
     "Something of type {0} was to be taken apart into entries, and has none. Is a list missing around it?"),
    ("TypeError", r"'(\w+)' object does not support item assignment",
     "Something of type {0} cannot be changed entry by entry: make a list, a dict or an array."),
    ("TypeError", r"unhashable", "A list, dict or array cannot be a key or a member of a set: use a name or a number."),
    ("TypeError", r"only.*(length-1|0-dimensional|size-1).*", "An array stands where a single number belongs."),
    ("IndexError", r"too many indices", "More indices stand in [] than the array has axes: what is its .shape there?"),
    ("IndexError", r"", "An index runs past the end: n entries have the places 0 to n - 1."),
    ("KeyError", r"^(.*)$",
     "The dict has no entry {0}. Was it never put in, or should an entry that is not there count as 0?"),
    ("AttributeError", r"'(\w+)' object has no attribute '(\w+)'",
     "Something of type {0} has no `.{1}`. Can it be a plain number here, or is it not what you think?"),
    ("ValueError", r"truth value of an array", "`if`, `and` or `not` got a whole array: which one number decides?"),
    ("ValueError", r"broadcast|matmul|not aligned|mismatch in its core dimension",
     "Two arrays do not fit together. Print both .shape just above that line: is one to be transposed, or cut?"),
    ("ValueError", r"setting an array element with a sequence|inhomogeneous",
     "An array or list stands where a single number belongs, or rows have different lengths."),
    ("ValueError", r"zip\(\) argument", "Two lists that go together have different lengths."),
    ("ValueError", r"read-only", "This array is not yours to write into: make a copy."),
    ("TypeError", r"^(tuple|list) indices must be integers or slices, not str",
     "A text stands in [] behind a {0}: names belong to a dict. Which of the two was to be there?"),
    ("TypeError", r"indices must be integers",
     "An entry itself stands in [], where its place belongs: a loop over range(len(x)) gives places."),
    ("ValueError", r"cannot reshape",
     "The entries do not fill such a shape: how many are there, and how many should there be?"),
    ("UFuncTypeError", r"", "An array of integers cannot take fractions: make it one of floats."),
    ("_UFuncOutputCastingError", r"", "An array of integers cannot take fractions: make it one of floats."),
    ("ZeroDivisionError", r"",
     "Something was divided by 0. In which case is the divisor 0, and what should come out then?"),
    ("RecursionError", r"",
     "Python stops near 1,000 calls inside of each other. Which call is to be the last one, and do the others come "
     "nearer to it? A long way needs a loop, with a list of what is still to be done."),
    ("LinAlgError", r"", "The matrix has no inverse: is it the one you meant, with all its entries?"),
    ("OverflowError", r"", "A number became too large for a float."),
    ("MemoryError", r"Unable to allocate|^$", "More memory was asked for than there is: which array is so large?"),
    ("AxisError", r"", "The array has fewer axes than the one that was asked for: print its .shape."),
)  # fmt: skip


# What the same mistake ends with in one place and not in another, and what is put in its place.
DIFFERS = (
    (r" At (line \d+ of your cell|<\w+>, line \d+)(: `.*`)?$", ""),  # a notebook tells lines in words of its own
    (r"(, an? \w+) \(.*\)$", r"\1"),  # what a kernel can say of a thing that is no number, a judge outside cannot
    (r"0x[0-9a-fA-F]+", "0x"),
    (r"cannot use '[^']+' as an? (?:set element|dict key) \((unhashable type: '[^']+')\)", r"\1"),  # 3.14
    (r"(too many values to unpack \(expected \d+), got \d+\)", r"\1)"),  # 3.14
    # 3.14, which says the same of all numbers, where older ones say float floor division by zero, integer modulo, ...
    (r"(?<=ZeroDivisionError: )[a-z ()]*(division|modulo|divmod)[a-z ()]*$", "float division by zero"),
)

SET = re.compile(r"\{([^{}:\n]*)(…|\}|$)")  # as Python prints it; the end is missing where it was cut off


def everywhere(line: str) -> str:
    """Normalise the line of an error: the same on every computer and for every Python, and sets in one order."""
    for pattern, instead in DIFFERS:
        line = re.sub(pattern, instead, line)
    return SET.sub(lambda of: f"{{{', '.join(sorted(of[1].split(', ')))}}}" if of[2] == "}" else "{…", line)


def in_words(error: str, text: str) -> str:
    """Explain an error of this class and text; empty if nothing is known about it."""
    for name, pattern, meaning in MEANINGS:
        match = re.search(pattern, text) if error == name else None
        if match:
            return meaning.format(*match.groups()) if match.groups() else meaning
    return ""
