package outbox.persistence.mybatis;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class MyBatisApplication {}
