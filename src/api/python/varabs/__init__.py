"""varabs: make Uppaal models without clocks smaller, and check them.

    >>> from varabs import Model
    >>> model = Model("postal.xml")
    >>> lean = model.remove("mem_vt", "mem_sg").may()
    >>> lean.is_exact
    True
    >>> lean.model.check().states
    1619

Models are values: `remove`, `query` and their like give a new one and leave the old one as it is.
What is asked of a model (`may`, `check`, `decide`, ...) is answered by libvarabs, in a process of
its own; Control-C ends it. Results have their JSON as `.json`, and show themselves as tables or
drawings in notebooks. What goes wrong is an `Error`.
"""

from ._library import Figures, version
from .errors import (DefectError, Error, InvalidError, LimitError, MissingFileError,
                     UnsupportedError, UsageError)
from .model import Model, grid
from . import results
from .results import *
from .traces import Move, State, Trace

__all__ = ["DefectError", "Error", "Figures", "InvalidError", "LimitError", "MissingFileError", "Model", "Move", "State",
           "Trace", "UnsupportedError", "UsageError", "grid", "version"]
__all__ += results.__all__
__version__ = version()
