import { secondsLater } from '#platform/clock'
import { defineRecordCheck, type IntegrityCheck, type Services } from '#platform/module'
import { correctCadenceCounts, listCadenceCountDrift } from './cadence-counts.queries.ts'
import { listEnrollmentsWithoutRun, listRepeatedEnrollments } from './live-enrollments.queries.ts'
import {
  listLostRuns,
  repairEnrollmentsWithoutRun,
  repairLostRuns,
  repairRepeatedEnrollments,
} from './lost-runs.service.ts'

/** An email is queued in the transaction that claims its run, so a younger run is not worth a look. */
const lostSeconds = 600

export const cadenceChecks = ({ clock }: Pick<Services, 'clock'>): IntegrityCheck[] => [
  defineRecordCheck({
    code: 'counter_drift',
    title: 'Counter that differs from the records',
    severity: 'warning',
    hint: 'Count the records again.',
    resourceType: 'cadence',
    find: listCadenceCountDrift,
    repair: correctCadenceCounts,
  }),
  defineRecordCheck({
    code: 'cadence_enrollment_without_run',
    title: 'Active enrollment without a planned step',
    severity: 'error',
    hint: 'Plan the next step of the enrollment.',
    resourceType: 'cadence_enrollment',
    find: listEnrollmentsWithoutRun,
    repair: (tx, ids) => repairEnrollmentsWithoutRun(tx, ids, clock.now()),
  }),
  defineRecordCheck({
    code: 'cadence_run_without_email',
    title: 'Claimed step of a cadence without an email or a task',
    severity: 'error',
    hint: 'Plan the step again. Its email was never queued.',
    resourceType: 'cadence_step_run',
    find: (tx, limit) => listLostRuns(tx, secondsLater(clock.now(), -lostSeconds), limit),
    repair: (tx, ids) => repairLostRuns(tx, ids, clock.now()),
  }),
  defineRecordCheck({
    code: 'cadence_person_enrolled_twice',
    title: 'Person with two live enrollments in a cadence',
    severity: 'error',
    hint: 'End the newer enrollment.',
    resourceType: 'cadence_enrollment',
    find: listRepeatedEnrollments,
    repair: (tx, ids) => repairRepeatedEnrollments(tx, ids, clock.now()),
  }),
]
