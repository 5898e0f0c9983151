package outbox.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What is published for tests uses what users can use, and nobody's test sleeps. */
class ArchitectureTest {

  private static final JavaClasses PUBLISHED =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("outbox.testing");

  private static final JavaClasses TESTS =
      new ClassFileImporter()
          .withImportOption(new ImportOption.OnlyIncludeTests())
          .importPackages("outbox");

  @Test
  void fixturesDoWithoutInternals() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAPackage("outbox.internal..")
        .check(PUBLISHED);
  }

  @Test
  void timeComesFromAClock() {
    noClasses().should().callMethod(Instant.class, "now").check(PUBLISHED);
    noClasses().should().callMethod(Instant.class, "now").check(TESTS);
  }

  @Test
  void nobodySleeps() {
    noClasses().should().callMethod(Thread.class, "sleep", long.class).check(PUBLISHED);
    noClasses().should().callMethod(Thread.class, "sleep", long.class).check(TESTS);
  }
}
