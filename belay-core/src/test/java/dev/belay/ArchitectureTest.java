package dev.belay;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.members;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.belay.engine.Engine;
import dev.belay.job.JobId;
import dev.belay.time.Skew;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The shape of the core. */
class ArchitectureTest {

    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.belay");

    /** Those that the module exports. */
    private static final String[] API = {
        "dev.belay",
        "dev.belay.broker",
        "dev.belay.event",
        "dev.belay.failure",
        "dev.belay.handler",
        "dev.belay.job",
        "dev.belay.once",
        "dev.belay.operation"
    };

    @Test
    void thereAreNoPackageCycles() {
        slices().matching("(dev.belay..)").should().beFreeOfCycles().check(CORE);
    }

    @Test
    void nobodyImportsTheRoot() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.belay")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.belay")
                .check(CORE);
    }

    @Test
    void valuesKnowNothingElse() {
        noClasses()
                .that()
                .resideInAPackage("dev.belay.job")
                .should()
                .dependOnClassesThat(resideInAnyPackage("dev.belay..")
                        .and(DescribedPredicate.not(resideInAnyPackage("dev.belay.job"))))
                .check(CORE);
    }

    @Test
    void theEngineIsHiddenButForItsDoor() {
        classes()
                .that()
                .resideInAPackage("dev.belay.engine")
                .and(DescribedPredicate.not(door()))
                .should()
                .notBePublic()
                .check(CORE);
    }

    private static DescribedPredicate<JavaClass> door() {
        return type(Engine.class)
                .or(DescribedPredicate.describe(
                        "nested in it",
                        c -> c.getEnclosingClass()
                                .map(outer -> outer.isEquivalentTo(Engine.class))
                                .orElse(false)));
    }

    @Test
    void theCoreNeedsOnlyTheJdkAndALoggingFacade() {
        classes()
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage("java..", "dev.belay..", "org.slf4j", "org.jspecify.annotations"))
                .check(CORE);
    }

    @Test
    void nobodyAsksWhatTimeItIs() {
        // The time is the broker's. A client's clock makes ids, of which nothing depends on the order, and a warning.
        noClasses()
                .that(DescribedPredicate.not(type(JobId.class).or(type(Skew.class))))
                .should()
                .callMethodWhere(DescribedPredicate.describe(
                        "ask for the time of day",
                        (JavaAccess<?> call) -> (call.getTargetOwner().isEquivalentTo(System.class)
                                        && call.getTarget().getName().equals("currentTimeMillis"))
                                || (call.getTargetOwner().getPackageName().equals("java.time")
                                        && call.getTarget().getName().equals("now"))
                                || call.getTargetOwner().isEquivalentTo(Clock.class)
                                || call.getTargetOwner().isEquivalentTo(InstantSource.class)
                                || call.getTargetOwner().isEquivalentTo(java.util.Date.class)))
                .orShould()
                .dependOnClassesThat(type(Clock.class))
                .check(CORE);
    }

    @Test
    void theApiNamesNoTypesOfOthers() {
        members()
                .that()
                .areDeclaredInClassesThat(resideInAnyPackage(API).and(publicAllTheWay()))
                .should(new ArchCondition<JavaMember>("name only types of the JDK and of the API") {
                    @Override
                    public void check(JavaMember member, ConditionEvents events) {
                        if (!member.getModifiers().contains(JavaModifier.PUBLIC)) {
                            return;
                        }
                        named(member)
                                .map(JavaClass::getBaseComponentType)
                                .filter(named -> !isAllowed(named))
                                .forEach(named -> events.add(SimpleConditionEvent.violated(
                                        member, member.getFullName() + " names " + named.getName())));
                    }
                })
                .check(CORE);
    }

    private static Stream<JavaClass> named(JavaMember member) {
        if (member instanceof JavaField field) {
            return field.getType().getAllInvolvedRawTypes().stream();
        }
        var unit = (JavaCodeUnit) member;
        return Stream.concat(
                unit.getReturnType().getAllInvolvedRawTypes().stream(),
                unit.getParameterTypes().stream().flatMap(t -> t.getAllInvolvedRawTypes().stream()));
    }

    private static boolean isAllowed(JavaClass named) {
        return named.isPrimitive()
                || named.getPackageName().startsWith("java.")
                || (Set.of(API).contains(named.getPackageName())
                        && named.getModifiers().contains(JavaModifier.PUBLIC));
    }

    private static DescribedPredicate<JavaClass> publicAllTheWay() {
        return DescribedPredicate.describe("public", c -> {
            for (var outer = c; ; outer = outer.getEnclosingClass().orElseThrow()) {
                if (!outer.getModifiers().contains(JavaModifier.PUBLIC)) {
                    return false;
                }
                if (outer.getEnclosingClass().isEmpty()) {
                    return true;
                }
            }
        });
    }

    @Test
    void everyPackageSaysThatNothingIsNullUnlessItSaysSo() {
        var packages = CORE.stream().map(JavaClass::getPackage).distinct().toList();

        assertThat(packages)
                .isNotEmpty()
                .allSatisfy(p -> assertThat(p.isAnnotatedWith(NullMarked.class))
                        .as(p.getName())
                        .isTrue());
        assertThat(packages).extracting(JavaPackage::getName).contains(API);
    }
}
