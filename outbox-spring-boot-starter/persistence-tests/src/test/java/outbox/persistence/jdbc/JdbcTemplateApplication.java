package outbox.persistence.jdbc;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class JdbcTemplateApplication {}
