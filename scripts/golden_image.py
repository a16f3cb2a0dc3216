#!/usr/bin/env python3
"""Writes tests/io/image: an image resized by Pillow with its filters, JPEG files that Pillow wrote and what it reads from them. Run
it where Pillow and NumPy are; the files are kept, so that tests need neither."""

import os
import struct

import numpy as np
from PIL import Image

FOLDER = os.path.join(os.path.dirname(__file__), "..", "tests", "io", "image")
FILTERS = {"bilinear": Image.BILINEAR, "box": Image.BOX, "bicubic": Image.BICUBIC, "lanczos": Image.LANCZOS}
SIZES = [(7, 5), (40, 31), (23, 4), (6, 17), (1, 1)]


def path(name):
    return os.path.join(FOLDER, name)


def picture(height, width, channels):
    """Shades, an edge and noise."""
    rng = np.random.default_rng(7)
    y, x = np.mgrid[0:height, 0:width]
    planes = [128 + 100 * np.sin(x / (3 + c)) * np.cos(y / (4 - c)) for c in range(channels)]
    image = np.stack(planes, -1) + rng.normal(0, 12, (height, width, channels))
    image[y > x] = 255 - image[y > x]
    return np.clip(image, 0, 255).astype("u1")


def resized():
    image = picture(17, 23, 3)
    np.save(path("plain.npy"), image)
    floats = (image[:, :, 0] / np.float32(255)).astype("f4")
    np.save(path("floats.npy"), floats)
    for name, how in FILTERS.items():
        for width, height in SIZES:
            out = np.asarray(Image.fromarray(image).resize((width, height), how))
            np.save(path("%s_%dx%d.npy" % (name, width, height)), out)
        np.save(path("floats_%s.npy" % name), np.asarray(Image.fromarray(floats).resize((9, 6), how)))


def orientation(value, order):
    """A block of EXIF that says it, in either byte order."""
    mark = b"II" if order == "<" else b"MM"
    head = mark + struct.pack(order + "HI", 42, 8)
    return b"Exif\0\0" + head + struct.pack(order + "HHHIHHI", 1, 0x112, 3, 1, value, 0, 0)


def jpegs():
    color = Image.fromarray(picture(17, 23, 3))
    grey = Image.fromarray(picture(17, 23, 1)[:, :, 0])
    kinds = {
        "grey": (grey, {}),
        "color": (color, {"subsampling": 2}),
        "full": (color, {"subsampling": 0}),
        "progressive": (color, {"progressive": True}),
        "restart": (color, {"restart_marker_blocks": 1}),
        "inks": (color.convert("CMYK"), {}),
    }
    for name, (image, options) in kinds.items():
        image.save(path(name + ".jpg"), quality=85, **options)
        np.save(path(name + ".npy"), np.asarray(Image.open(path(name + ".jpg")).convert("L" if name == "grey" else "RGB")))
    for value in range(1, 9):
        small = Image.fromarray(picture(8, 16, 3))
        small.save(path("turned%d.jpg" % value), quality=90, subsampling=0, exif=orientation(value, "<>"[value % 2]))
        moved = {2: Image.FLIP_LEFT_RIGHT, 3: Image.ROTATE_180, 4: Image.FLIP_TOP_BOTTOM, 5: Image.TRANSPOSE,
                 6: Image.ROTATE_270, 7: Image.TRANSVERSE, 8: Image.ROTATE_90}
        image = Image.open(path("turned%d.jpg" % value))
        image = image.transpose(moved[value]) if value in moved else image
        np.save(path("turned%d.npy" % value), np.asarray(image))


os.makedirs(FOLDER, exist_ok=True)
resized()
jpegs()
