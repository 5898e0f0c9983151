package outbox;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import outbox.internal.SafeLogger;
import outbox.spi.MetricsExporter;

/** The boundaries of the core, each in one rule. */
class ArchitectureTest {

  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("outbox");

  private static final JavaClasses TESTS =
      new ClassFileImporter()
          .withImportOption(new ImportOption.OnlyIncludeTests())
          .importPackages("outbox");

  @Test
  void coreNeedsNothingButTheJdk() {
    classes()
        .should()
        .onlyDependOnClassesThat(resideInAnyPackage("java..", "outbox.."))
        .check(MAIN);
  }

  @Test
  void componentsFormNoCycle() {
    slices()
        .matching("outbox.(dispatch|poller|purge|registry|dead)..")
        .should()
        .beFreeOfCycles()
        .check(MAIN);
  }

  @Test
  void pollerKnowsItsHandlerAndNotTheDispatcher() {
    noClasses()
        .that()
        .resideInAPackage("outbox.poller..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("outbox.dispatch..")
        .check(MAIN);
  }

  @Test
  void onlyOneHelperControlsTransactions() {
    noClasses()
        .that()
        .haveNameNotMatching("outbox\\.internal\\.Transactions(\\$.*)?")
        .and()
        .areNotAssignableTo(Connection.class)
        .should()
        .callMethod(Connection.class, "setAutoCommit", boolean.class)
        .orShould()
        .callMethod(Connection.class, "commit")
        .orShould()
        .callMethod(Connection.class, "rollback")
        .check(MAIN);
  }

  @Test
  void timeComesFromAClock() {
    noClasses()
        .should()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(LocalDateTime.class, "now")
        .orShould()
        .callMethod(ZonedDateTime.class, "now")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .check(MAIN);
  }

  @Test
  void everyLineOfALogIsMadeSafe() {
    noClasses()
        .that()
        .doNotBelongToAnyOf(SafeLogger.class)
        .should()
        .callMethodWhere(describe("gets a logger", call -> call.getName().equals("getLogger")))
        .orShould()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .orShould()
        .callMethodWhere(describe("prints", call -> call.getName().equals("printStackTrace")))
        .check(MAIN);
  }

  /** Whatever else an event has, such as its tenant or payload, must have no way there. */
  @Test
  void metricsAreToldNumbersAndEventTypesAndNothingElse() {
    assertThat(MetricsExporter.class.getMethods())
        .allSatisfy(
            method -> {
              List<Class<?>> told = List.of(method.getParameterTypes());
              assertThat(told)
                  .isSubsetOf(
                      int.class,
                      long.class,
                      boolean.class,
                      Duration.class,
                      Map.class, // epochs by partition
                      String.class);
              assertThat(told.lastIndexOf(String.class)).isLessThanOrEqualTo(0);
            });
  }

  @Test
  void testsDoNotSleep() {
    noClasses().should().callMethod(Thread.class, "sleep", long.class).check(TESTS);
  }

  @Test
  void moreThanAThirdOfTheTypesAreHidden() {
    List<JavaClass> types =
        MAIN.stream().filter(type -> !type.isAnonymousClass() && !isDescriptor(type)).toList();

    long hidden = types.stream().filter(arePublished().negate()).count();

    assertThat(hidden * 3)
        .as("%d of %d types are hidden", hidden, types.size())
        .isGreaterThan(types.size());
  }

  private static DescribedPredicate<JavaClass> arePublished() {
    return DescribedPredicate.describe("are visible to users", ArchitectureTest::isPublished);
  }

  private static boolean isPublished(JavaClass type) {
    return !type.getPackageName().equals("outbox.internal")
        && type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().map(ArchitectureTest::isPublished).orElse(true);
  }

  private static boolean isDescriptor(JavaClass type) {
    return type.getSimpleName().endsWith("-info");
  }
}
