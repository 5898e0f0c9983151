package outbox.benchmarks.contender;

import javax.sql.DataSource;

/** What a contender is opened with: a database, what completing means, and its name among nodes. */
public record Setup(DataSource dataSource, Completion completion, String node) {}
