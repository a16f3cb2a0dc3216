"""Tensors in notebooks."""
ROWS, COLUMNS = 20, 12


def _shown(n, most):
    """Indices that are shown; None where some are left out."""
    return list(range(n)) if n <= most else [*range(most // 2), None, *range(n - most // 2, n)]


def _cell(x):
    value = x.item()
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def render(x):
    """A table of a vector or a matrix with its description; other ranks as text."""
    about = f"Tensor {x.dtype} {list(x.shape)}" + ("" if x.device == "cpu" else f" {x.device}")
    if x.ndim not in (1, 2) or x.size == 0:
        text = str(x).replace("&", "&amp;").replace("<", "&lt;")
        return f"<div><small>{about}</small><pre>{text}</pre></div>"
    if x.device != "cpu":
        x = x.to_device("cpu")
    matrix = x if x.ndim == 2 else x[None, :]
    rows = []
    for i in _shown(matrix.shape[0], ROWS):
        cells = ("…" if i is None or j is None else _cell(matrix[i, j]) for j in _shown(matrix.shape[1], COLUMNS))
        rows.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    return f"<div><small>{about}</small><table>{''.join(rows)}</table></div>"
