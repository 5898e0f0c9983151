package outbox.samples.spring;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

/** What a customer sends; {@code fail} makes shipping fail until the order is repaired. */
record NewOrder(
    @NotBlank(message = "product must not be blank")
        @Size(max = 100, message = "product must not be longer than 100 characters")
        String product,
    @NotNull(message = "quantity must not be null")
        @Positive(message = "quantity must be greater than 0")
        Integer quantity,
    @Nullable Boolean fail) {

  NewOrder {
    fail = Boolean.TRUE.equals(fail);
  }
}
