package outbox.persistence.jpa;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class JpaApplication {}
