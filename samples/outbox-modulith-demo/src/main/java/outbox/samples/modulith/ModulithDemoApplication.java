package outbox.samples.modulith;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import outbox.samples.modulith.broker.Broker;
import outbox.samples.modulith.orders.OrderManagement;

@SpringBootApplication
public class ModulithDemoApplication {

  public static void main(String[] args) throws InterruptedException {
    try (ConfigurableApplicationContext application =
        SpringApplication.run(ModulithDemoApplication.class, args)) {
      application.getBean(OrderManagement.class).place(42, "lamp");
      System.out.println(application.getBean(Broker.class).sent().take());
    }
  }
}
