.DEFAULT_GOAL := help
.PHONY: help check format test test-mysql bench demo clean

BENCH ?=

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

bench: ## Run the benchmarks; BENCH='Dispatcher -f 1' is passed on to JMH
	./mvnw --quiet package -pl benchmarks -am -DskipTests
	java -jar benchmarks/target/benchmarks.jar $(BENCH)

demo: ## Watch the outbox deliver, retry, bury and replay on an embedded database
	./outbox demo

clean: ## Delete everything that was built
	./mvnw --quiet clean
