package outbox.jdbc;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.domain.properties.HasOwner;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.sql.Connection;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ArchitectureTest {

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("outbox.jdbc");

  @TestFactory
  Stream<DynamicTest> onlyTransactionManagementEndsTransactions() {
    return Stream.of("setAutoCommit", "commit", "rollback")
        .map(
            method ->
                DynamicTest.dynamicTest(
                    method,
                    () ->
                        noClasses()
                            .that()
                            .resideOutsideOfPackage("outbox.jdbc.tx")
                            .should()
                            .callMethodWhere(
                                JavaCall.Predicates.target(HasName.Predicates.name(method))
                                    .and(
                                        JavaCall.Predicates.target(
                                            HasOwner.Predicates.With.owner(
                                                JavaClass.Predicates.assignableTo(
                                                    Connection.class)))))
                            .check(CLASSES)));
  }

  @Test
  void timeComesFromAClock() {
    noClasses().should().callMethod(Instant.class, "now").check(CLASSES);
  }

  @Test
  void everyLineOfALogIsMadeSafe() {
    noClasses()
        .should()
        .callMethodWhere(
            JavaCall.Predicates.target(HasName.Predicates.name("getLogger"))
                .or(JavaCall.Predicates.target(HasName.Predicates.name("printStackTrace"))))
        .check(CLASSES);
  }

  @Test
  void packagesHaveNoCycle() {
    SlicesRuleDefinition.slices().matching("outbox.(**)").should().beFreeOfCycles().check(CLASSES);
  }
}
