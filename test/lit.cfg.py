# lit's configuration (the only Python in the project).
import os
import subprocess
import lit.formats
import lit.util

config.name = "Forge"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "OutOfTree"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.forge_binary_dir, "test")
tools = os.path.join(config.forge_binary_dir, "bin")
config.environment["PATH"] = os.pathsep.join([tools, config.llvm_tools_dir, os.environ["PATH"]])
config.environment["HOME"] = os.environ.get("HOME", "/tmp")

# Every test compiles what it runs.
config.environment["FORGE_CACHE_DIR"] = ""

# The assembler of PTX, where it is found.
ptxas = lit.util.which("ptxas", os.pathsep.join([os.environ["PATH"], "/usr/local/cuda/bin"]))
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
# A browser, for the page of forge explain.
if lit.util.which("chromium"):
    config.available_features.add("chromium")
# A Python that has JAX, which tests drive through the plugin: FORGE_JAX_PYTHON, or python3.
python = os.environ.get("FORGE_JAX_PYTHON", lit.util.which("python3") or "")
finds = "import importlib.util as u, sys; print(*[m for m in ('jax', 'flax', 'optax', 'equinox', 'haiku') if u.find_spec(m)])"
if python:
    config.available_features.update(subprocess.run([python, "-c", finds], capture_output=True, text=True).stdout.split())
plugin = os.path.join(config.forge_binary_dir, "lib", "libforge_pjrt.so")
config.substitutions.append(
    ("%jax", f"env PJRT_NAMES_AND_LIBRARY_PATHS=forge:{plugin} JAX_PLATFORMS=forge,cpu FORGE_PJRT_TARGET=cpu {python}"))
# Other languages that can call C.
libs = os.path.join(config.forge_binary_dir, "lib")
config.substitutions.append(("%libs", libs))
config.substitutions.append(("%headers", os.path.join(config.forge_source_dir, "include")))
# Both are installed at times without what they need to link: rustc its standard library, Java the headers of a JDK.
rustc, javac = lit.util.which("rustc"), lit.util.which("javac")
if rustc and subprocess.run([rustc, "--print", "target-libdir"], capture_output=True).returncode == 0:
    config.available_features.add("rustc")
jdk = os.environ.get("JAVA_HOME") or (os.path.dirname(os.path.dirname(os.path.realpath(javac))) if javac else "")
if jdk and os.path.exists(os.path.join(jdk, "include", "jni.h")):
    config.available_features.add("jdk")
    config.substitutions.append(("%jdk", jdk))
# Modules and checkpoints from outside the project; tests that use them are unsupported without.
real = os.path.join(config.forge_source_dir, "..", "shared", "real")
if os.path.isdir(real):
    config.available_features.add("real")
config.substitutions.append(("%real", os.path.abspath(real)))
config.substitutions.append(("%examples", os.path.join(config.forge_source_dir, "examples")))
# What the checks of the operations' definitions need.
config.substitutions.append(("%tblgen", os.path.join(config.llvm_tools_dir, "mlir-tblgen")))
config.substitutions.append(("%includes", config.tablegen_includes))
# %exits STATUS COMMAND...: the command must exit with just that status.
# %scaling KIND N COMMAND...: the command takes time in proportion to the number of operations.
config.substitutions.append(("%scaling", os.path.join(os.path.dirname(__file__), "Inputs", "scaling")))
config.substitutions.append(("%exits", os.path.join(os.path.dirname(__file__), "Inputs", "exits")))
# Stand-ins for the vendors' drivers, in host memory: they know no kernels, but products by the library.
standins = os.path.join(config.forge_binary_dir, "unittests")
if os.path.exists(os.path.join(standins, "fake-cuda", "libcublasLt.so.13")):
    config.available_features.add("standins")
config.substitutions.append(("%standins", standins))
# An endpoint that stands in for a language model.
if os.path.exists(os.path.join(standins, "chat-server")):
    config.available_features.add("chat-server")
