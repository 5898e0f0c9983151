package outbox.persistence.jooq;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class JooqApplication {}
