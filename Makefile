.DEFAULT_GOAL := help
.PHONY: help check format sbom vulnerabilities test test-mysql faults fault fault-mutants soak bench jmh demo clean

BENCH ?=
JMH ?=

help: ## Show this help
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

check: ## Build, test and run every check; the same as CI
	./mvnw verify

format: ## Format the sources in place
	./mvnw --quiet spotless:apply

sbom: ## Write what the published modules depend on, as CycloneDX: target/outbox-sbom.json and .xml
	./mvnw --quiet org.cyclonedx:cyclonedx-maven-plugin:makeAggregateBom

vulnerabilities: ## Ask public databases for known vulnerabilities of the dependencies; needs the network
	./mvnw verify -Pvulnerabilities -DskipTests

test: ## Compile and run the tests, without the format and size checks
	./mvnw test

test-mysql: ## Run the tests that need a real MySQL 8 (large download on first use)
	./mvnw verify -Pmysql -pl outbox-jdbc -am

faults: ## Run every fault scenario on real processes and databases, and write the report page
	rm -rf fault-kit/target/fault-results
	-./mvnw test -Pfaults -pl fault-kit -am
	java -cp fault-kit/target/classes outbox.faults.report.ReportPage \
	  fault-kit/target/fault-results docs/reliability/report.md

fault: ## Run one fault scenario: make fault F=F3
	./mvnw test -Pfaults -pl fault-kit -am -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dtest='%regex[.*\.$(F)[A-Z].*Test.*]'

fault-mutants: ## Break the engine in every known way, and see which scenario notices
	./mvnw test -pl fault-kit -am -Dtest=FaultMutantsTest -Dtest.tags=mutants -Dtest.excludedTags= \
	  -Dsurefire.failIfNoSpecifiedTests=false

soak: ## Random load and faults: make soak MINUTES=30 SEED=7
	./mvnw test -pl fault-kit -am -Dtest=S1SoakTest -Dtest.tags=soak -Dtest.excludedTags= \
	  -Dsurefire.failIfNoSpecifiedTests=false \
	  -Doutbox.soak.minutes=$(or $(MINUTES),5) -Doutbox.soak.seed=$(or $(SEED),1)

bench: ## Measure against raw JDBC and others; BENCH='P1 P2 --quick' is passed on
	./outbox bench $(BENCH)

jmh: ## Measure the hot structures alone; JMH='Dispatcher -f 1' is passed on to JMH
	./mvnw --quiet process-classes -pl benchmarks -am
	java -cp 'benchmarks/target/classes:outbox-core/target/classes:benchmarks/target/lib/*' org.openjdk.jmh.Main $(JMH)

demo: ## Watch the outbox deliver, retry, bury and replay on an embedded database
	./outbox demo

clean: ## Delete everything that was built
	./mvnw --quiet clean
