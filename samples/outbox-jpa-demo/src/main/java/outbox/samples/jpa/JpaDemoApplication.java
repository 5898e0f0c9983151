package outbox.samples.jpa;

import java.util.UUID;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

@SpringBootApplication
public class JpaDemoApplication {

  public static void main(String[] args) throws InterruptedException {
    try (ConfigurableApplicationContext application =
        SpringApplication.run(JpaDemoApplication.class, args)) {
      OrderService orders = application.getBean(OrderService.class);
      UUID order = orders.place("lamp", 2);
      orders.ship(order);

      Customers customers = application.getBean(Customers.class);
      System.out.println(customers.mails().take());
      System.out.println(customers.mails().take());
    }
  }
}
