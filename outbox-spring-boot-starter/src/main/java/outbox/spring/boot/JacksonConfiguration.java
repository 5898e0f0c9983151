package outbox.spring.boot;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import outbox.domain.PayloadWriter;

/**
 * Reads and writes payloads with Jackson: the one that the application has a mapper of, and not
 * several that are equal, else one that is merely there, as 2 always is.
 */
@Configuration(proxyBeanMethods = false)
@Import({
  JacksonConfiguration.Mapper3.class,
  JacksonConfiguration.Mapper2.class,
  JacksonConfiguration.Default3.class,
  JacksonConfiguration.Default2.class
})
class JacksonConfiguration {

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(tools.jackson.databind.json.JsonMapper.class)
  @ConditionalOnSingleCandidate(tools.jackson.databind.json.JsonMapper.class)
  static class Mapper3 {

    @Bean
    @ConditionalOnMissingBean
    PayloadReader outboxPayloadReader(tools.jackson.databind.json.JsonMapper mapper) {
      return new Jackson3Reader(mapper);
    }

    @Bean
    @ConditionalOnMissingBean
    PayloadWriter outboxPayloadWriter(tools.jackson.databind.json.JsonMapper mapper) {
      return mapper::writeValueAsString;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(com.fasterxml.jackson.databind.ObjectMapper.class)
  @ConditionalOnSingleCandidate(com.fasterxml.jackson.databind.ObjectMapper.class)
  static class Mapper2 {

    @Bean
    @ConditionalOnMissingBean
    PayloadReader outboxPayloadReader(com.fasterxml.jackson.databind.ObjectMapper mapper) {
      return new Jackson2Reader(mapper);
    }

    @Bean
    @ConditionalOnMissingBean
    PayloadWriter outboxPayloadWriter(com.fasterxml.jackson.databind.ObjectMapper mapper) {
      return mapper::writeValueAsString;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(tools.jackson.databind.json.JsonMapper.class)
  static class Default3 {

    @Bean
    @ConditionalOnMissingBean
    PayloadReader outboxPayloadReader() {
      return Jackson3Reader.byDefault();
    }

    @Bean
    @ConditionalOnMissingBean
    PayloadWriter outboxPayloadWriter() {
      return Jackson3Reader.byDefault().mapper()::writeValueAsString;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(com.fasterxml.jackson.databind.ObjectMapper.class)
  static class Default2 {

    @Bean
    @ConditionalOnMissingBean
    PayloadReader outboxPayloadReader() {
      return Jackson2Reader.byDefault();
    }

    @Bean
    @ConditionalOnMissingBean
    PayloadWriter outboxPayloadWriter() {
      return Jackson2Reader.byDefault().mapper()::writeValueAsString;
    }
  }
}
