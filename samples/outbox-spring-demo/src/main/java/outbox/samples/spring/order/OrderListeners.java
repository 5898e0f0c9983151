package outbox.samples.spring.order;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import outbox.registry.DefaultListenerRegistry;
import outbox.registry.ListenerRegistry;

/** Who handles which event. */
@Configuration(proxyBeanMethods = false)
class OrderListeners {

  @Bean
  ListenerRegistry listenerRegistry(Shipping shipping) {
    return new DefaultListenerRegistry()
        .register(OrderEvents.ORDER, OrderEvents.ORDER_PLACED, shipping);
  }
}
