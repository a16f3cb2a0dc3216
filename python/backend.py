"""Builds wheels of the module with cmake and the C compiler, as pip asks (PEP 517), and needs nothing else: no network, no packages.

    pip install ./python
    python3 python/backend.py FOLDER     # a wheel in FOLDER: make wheel

TESSERA_BUILD names a build folder to use; the default is build/ beside this one, where `make` builds. An interpreter before 3.11 has a
build folder of its own, because its binary serves no other version."""
import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STABLE = sys.version_info >= (3, 11)  # the limited API has buffers since then


def _version():
    return re.search(r"project\(tessera VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def _tag():
    version = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    return f"cp311-abi3-{platform}" if STABLE else f"{version}-{version}-{platform}"


def _metadata():
    return (f"Metadata-Version: 2.1\nName: tessera\nVersion: {_version()}\nSummary: Tensors from C: the array API standard, and every op "
            "of the library\nLicense: Apache-2.0\nRequires-Python: >=3.9\n")


def _build():
    """The folder with the package, built."""
    name = "build" if STABLE else f"build-python{sys.version_info[0]}{sys.version_info[1]}"
    build = Path(os.environ.get("TESSERA_BUILD", ROOT / name)).resolve()
    if not (build / "CMakeCache.txt").exists():
        subprocess.run(["cmake", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DTSR_WITH_PYTHON=ON",
                        f"-DTSR_PYTHON={sys.executable}"], check=True, stdout=sys.stderr)
    subprocess.run(["cmake", "--build", build, "--parallel", os.environ.get("JOBS", "2"), "--target", "tessera_python"], check=True,
                   stdout=sys.stderr)
    return build / "python" / "tessera"


def _files(package):
    """Names in the wheel and their bytes."""
    info = f"tessera-{_version()}.dist-info"
    for path in sorted(package.iterdir()):
        if path.suffix in (".py", ".pyi", ".so") or path.name == "py.typed":
            yield f"tessera/{path.name}", path.read_bytes()
    yield f"{info}/METADATA", _metadata().encode()
    yield f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: tessera\nRoot-Is-Purelib: false\nTag: {_tag()}\n".encode()
    for name in ("LICENSE", "NOTICE"):
        yield f"{info}/{name}", (ROOT / name).read_bytes()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    package = _build()
    name = f"tessera-{_version()}-{_tag()}.whl"
    record = []
    Path(wheel_directory).mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        def put(path, content):
            entry = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))  # the same bits each time
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)

        for path, content in _files(package):
            put(path, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(content)}")
        path = f"tessera-{_version()}.dist-info/RECORD"
        put(path, "\n".join([*record, f"{path},,", ""]).encode())
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("a source archive of the module is that of the library: make dist")


if __name__ == "__main__":
    print(Path(sys.argv[1]) / build_wheel(sys.argv[1]))
