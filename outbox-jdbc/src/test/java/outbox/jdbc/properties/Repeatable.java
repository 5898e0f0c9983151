package outbox.jdbc.properties;

import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyAttributes;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * Has every property try the same values each time, so that a build fails by what was changed and
 * not by chance. {@code -Doutbox.properties.seed} takes another seed, or {@code random}; {@code
 * -Doutbox.properties.times} has so many times as many tries.
 */
public final class Repeatable implements AroundPropertyHook {

  private static final String SEED = System.getProperty("outbox.properties.seed", "42");
  private static final int TIMES = Integer.getInteger("outbox.properties.times", 1);

  @Override
  public PropertyExecutionResult aroundProperty(
      PropertyLifecycleContext context, PropertyExecutor property) {
    PropertyAttributes attributes = context.attributes();
    if (attributes.seed().isEmpty() && !SEED.equals("random")) {
      attributes.setSeed(SEED);
    }
    attributes.setTries(attributes.tries().orElse(defaultTries()) * TIMES);
    return property.execute();
  }

  private static int defaultTries() {
    return Integer.getInteger("jqwik.tries.default", 300);
  }

  @Override
  public PropagationMode propagateTo() {
    return PropagationMode.ALL_DESCENDANTS;
  }
}
