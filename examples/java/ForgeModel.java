import java.util.Arrays;

/**
 * A compiled model, run through forge/C/Model.h; ForgeModel.c is between. The main program takes a model and numbers, which
 * are its one argument, a vector of f32, and prints the results.
 *
 * <pre>
 * javac -h . -d . examples/java/ForgeModel.java
 * cc -shared -fPIC -Iinclude -I. -I$JAVA_HOME/include -I$JAVA_HOME/include/linux examples/java/ForgeModel.c -Lbuild/lib \
 *   -lforge-model -o libForgeModel.so
 * LD_LIBRARY_PATH=build/lib java -Djava.library.path=. ForgeModel ./model.so 1 2 3
 * </pre>
 */
public final class ForgeModel implements AutoCloseable {
  static {
    System.loadLibrary("ForgeModel");
  }

  /** The struct forge_model; 0 once it is closed. */
  private long handle;

  public ForgeModel(String path) {
    handle = load(path);
  }

  /** Runs on one vector; the results must be of f32. Threads take turns. */
  public synchronized float[][] run(float[] input) {
    if (handle == 0)
      throw new IllegalStateException("the model is closed");
    return run(handle, input);
  }

  @Override
  public synchronized void close() {
    destroy(handle);
    handle = 0;
  }

  private static native long load(String path);

  private static native float[][] run(long handle, float[] input);

  private static native void destroy(long handle);

  public static void main(String[] arguments) {
    float[] input = new float[arguments.length - 1];
    for (int i = 0; i < input.length; ++i)
      input[i] = Float.parseFloat(arguments[i + 1]);
    try (ForgeModel model = new ForgeModel(arguments[0])) {
      for (float[] result : model.run(input))
        System.out.println(Arrays.toString(result));
    }
  }
}
