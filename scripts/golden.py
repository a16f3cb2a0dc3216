"""What the golden_*.py scripts share: numbers, lists and tables as C writes them."""
import math


def number(x, short=False):
    """A C double; short: whole numbers without a point."""
    x = float(x)
    if math.isnan(x):
        return "NAN"
    if math.isinf(x):
        return "INFINITY" if x > 0 else "-INFINITY"
    whole = short and x == int(x) and abs(x) < 1e15 and not (x == 0 and math.copysign(1, x) < 0)
    return str(int(x)) if whole else repr(x)


def braces(texts):
    texts = list(texts)
    return "{" + ", ".join(texts) + "}" if texts else "{0}"


def numbers(values, short=False):
    """A list, an array or a tensor as an initialiser; None is an empty one."""
    if hasattr(values, "flatten"):
        values = values.flatten().tolist()
    return braces(number(v, short) for v in values or [])


def ints(values):
    return braces(str(int(v)) for v in values)


def bits(values, indent="    "):
    """Bit patterns with commas between and behind them, in lines of at most 118 columns."""
    lines = [indent[:-1]]
    for x in values:
        text = " 0x%x," % int(x)
        if len(lines[-1]) + len(text) > 118:
            lines.append(indent[:-1])
        lines[-1] += text
    return "\n".join(lines)


def table(kind, name, values):
    """An array of bit patterns."""
    print("static const %s %s[] = {" % (kind, name))
    print(bits(values) + "\n};")
