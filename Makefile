.DEFAULT_GOAL := help
.PHONY: help check format test test-mysql faults bench jmh demo clean

BENCH ?=
JMH ?=

help: ## Show this help
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

check: ## Build, test and run every check; the same as CI
	./mvnw verify

format: ## Format the sources in place
	./mvnw --quiet spotless:apply

test: ## Compile and run the tests, without the format and size checks
	./mvnw test

test-mysql: ## Run the tests that need a real MySQL 8 (large download on first use)
	./mvnw verify -Pmysql -pl outbox-jdbc -am

faults: ## Kill, pause and restart nodes under load for minutes, and judge what they delivered
	./mvnw test -Pfaults -pl outbox-jdbc -am

bench: ## Measure against raw JDBC and others; BENCH='P1 P2 --quick' is passed on
	./outbox bench $(BENCH)

jmh: ## Measure the hot structures alone; JMH='Dispatcher -f 1' is passed on to JMH
	./mvnw --quiet process-classes -pl benchmarks -am
	java -cp 'benchmarks/target/classes:outbox-core/target/classes:benchmarks/target/lib/*' org.openjdk.jmh.Main $(JMH)

demo: ## Watch the outbox deliver, retry, bury and replay on an embedded database
	./outbox demo

clean: ## Delete everything that was built
	./mvnw --quiet clean
