package outbox.samples.spring.order;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

/** What a customer sends; {@code fail} makes shipping fail until the order is repaired. */
record NewOrder(
    @NotBlank @Size(max = 100) String product,
    @NotNull @Positive Integer quantity,
    @Nullable Boolean fail) {

  boolean isFaulty() {
    return Boolean.TRUE.equals(fail);
  }
}
