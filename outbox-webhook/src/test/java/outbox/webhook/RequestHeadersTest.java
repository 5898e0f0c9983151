package outbox.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RequestHeadersTest {

  @Test
  void whatStandsInLowerCaseCountsInWhateverOrderItComes() {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("OUTBOX-SEQUENCE", "forged");
    headers.put("outbox-sequence", "7");
    headers.put("Outbox-Sequence", "forged");
    headers.put("outbox-Sequence", "forged");
    headers.put("X-Region", "eu");

    assertThat(RequestHeaders.of(headers, Sent.event()))
        .isEqualTo(Map.of("outbox-sequence", "7", "x-region", "eu"));
  }
}
