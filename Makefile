.DEFAULT_GOAL := help
.PHONY: help check format sbom vulnerabilities alerts scrape-cost test test-mysql test-rabbitmq properties fuzz jcstress model faults fault \
  fault-mutants soak bench jmh demo clean

BENCH ?=
JMH ?=
RUNS ?= 1
MUTANTS ?=
JCSTRESS ?= -m quick -sc false -af NONE -f 1 -fsm 1 -iters 1 -time 200 -jvmArgs -server
FUZZ ?= headers header_text json row error mask table url
STRESS_PATH = stress/target/classes:outbox-core/target/classes:outbox-jdbc/target/classes:stress/target/lib/*

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

alerts: ## Check and test the Prometheus alerts; needs promtool, which Debian has in its package prometheus
	promtool check rules ops/prometheus/outbox-alerts.yml
	promtool test rules ops/prometheus/outbox-alerts-test.yml

scrape-cost: ## What the gauges cost PostgreSQL with ten million DONE rows and a million pending ones
	./mvnw test -pl outbox-jdbc -am -Dtest=ScrapeCostTest -Dtest.tags=large -Dtest.excludedTags= \
	  -Dsurefire.failIfNoSpecifiedTests=false

test: ## Compile and run the tests, without the format and size checks
	./mvnw test

test-mysql: ## Run the tests that need a real MySQL 8 (large download on first use)
	./mvnw verify -Pmysql -pl outbox-jdbc,outbox-destinations -am

test-rabbitmq: ## Run the tests that need a real RabbitMQ (Debian: apt-get install rabbitmq-server)
	./mvnw test -Prabbitmq -pl outbox-rabbitmq -am -Dtest='Rabbit*Test' -Dsurefire.failIfNoSpecifiedTests=false

properties: ## Try the properties longer and with new values: make properties TIMES=50 SEED=random
	./mvnw test -pl outbox-core,outbox-jdbc -am -Dtest='*Properties' -Dsurefire.failIfNoSpecifiedTests=false \
	  -Doutbox.properties.times=$(or $(TIMES),20) -Doutbox.properties.seed=$(or $(SEED),random)

fuzz: ## Feed whatever reads text by Jazzer, so long each: make fuzz MINUTES=10 FUZZ='headers row'
	./mvnw --quiet process-classes -pl stress -am
	mkdir -p stress/target/fuzz
	for target in $(FUZZ); do \
	  mkdir -p stress/target/fuzz/$$target && \
	  java -cp '$(STRESS_PATH)' -Doutbox.fuzz.target=$$target com.code_intelligence.jazzer.Jazzer \
	    --target_class=outbox.fuzz.Fuzz --instrumentation_includes='outbox.**' \
	    --disabled_hooks='com.code_intelligence.jazzer.sanitizers.*' --reproducer_path=stress/target/fuzz \
	    -artifact_prefix=stress/target/fuzz/$$target- -max_total_time=$$((60 * $(or $(MINUTES),1))) \
	    stress/target/fuzz/$$target stress/src/main/corpus/$$target || exit 1; \
	done

jcstress: ## Race what threads share; JCSTRESS='-m default -t InFlight' is passed on to jcstress
	./mvnw --quiet process-classes -pl stress -am
	cd stress/target && java -cp 'classes:../../outbox-core/target/classes:../../outbox-jdbc/target/classes:lib/*' \
	  org.openjdk.jcstress.Main -r jcstress $(JCSTRESS)

model: ## Check the models of the protocol with more faults at once than every build does
	./mvnw test -pl fault-kit -am -Dtest=LargeModelTest -Dtest.tags=large -Dtest.excludedTags= \
	  -Dsurefire.failIfNoSpecifiedTests=false

faults: ## Run every fault scenario, write the report page, fail if one failed; RUNS=3 for three runs in a row
	rm -rf fault-kit/target/fault-results
	for run in $$(seq $(RUNS)); do \
	  ./mvnw test -Pfaults -pl fault-kit -am -Dfaults.goOn=true -Doutbox.faults.run=$$run || exit 1; done
	java -cp fault-kit/target/classes outbox.faults.report.ReportPage fault-kit/target/fault-results \
	  docs/reliability/report.md $(RUNS) $(or $(shell git describe --always --dirty 2>/dev/null),unknown)

fault: ## Run one fault scenario: make fault F=F3
	rm -f fault-kit/target/surefire-reports/*.txt
	./mvnw test -Pfaults -pl fault-kit -am -Dsurefire.failIfNoSpecifiedTests=false \
	  -Dtest='%regex[.*/$(F)[A-Z].*Test.*]'
	@ls fault-kit/target/surefire-reports/*.$(F)[A-Z]*Test.txt || { echo 'There is no scenario $(F).'; exit 1; }

fault-mutants: ## Break the engine in every known way, or in MUTANTS='DROP_THE_FENCE', and see which scenario notices
	./mvnw test -pl fault-kit -am -Dtest=FaultMutantsTest -Dtest.tags=mutants -Dtest.excludedTags= \
	  -Dsurefire.failIfNoSpecifiedTests=false -Doutbox.mutants='$(MUTANTS)'

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
