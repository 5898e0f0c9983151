package outbox.spring.boot;

import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** Has {@code @TransactionalEventListener} work where nothing else of an application is there. */
@Configuration(proxyBeanMethods = false)
@EnableTransactionManagement
class TransactionalEvents {}
