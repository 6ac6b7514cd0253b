import { listOutreachPersons } from '#modules/crm'
import type { UserActor } from '#platform/access'
import type { Page, TenantTx } from '#platform/db'
import { findCadences } from '../cadence-records/cadences.queries.ts'
import { listEnrollments } from '../cadence-records/enrollments.queries.ts'
import { listStepsById } from '../cadence-records/steps.queries.ts'
import { personIdOf } from '../cadence-runs/run-times.service.ts'
import { listStepTaskRows } from './step-tasks.queries.ts'
import type { StepTask, StepTaskQuery } from './step-tasks.schemas.ts'

export async function listCadenceTasks(
  tx: TenantTx,
  actor: UserActor,
  { assignee_id, due_before, type, ...page }: StepTaskQuery,
): Promise<Page<StepTask>> {
  const assigneeId = assignee_id === 'me' ? actor.userId : assignee_id
  const { items, ...rest } = await listStepTaskRows(tx, { assigneeId, due_before, type }, page)
  const unique = (ids: string[]) => [...new Set(ids)]
  const [enrollments, cadences, steps] = await Promise.all([
    listEnrollments(tx, unique(items.map(({ enrollment_id }) => enrollment_id))),
    findCadences(tx, unique(items.map(({ cadence_id }) => cadence_id))),
    listStepsById(tx, unique(items.map(({ step_id }) => step_id))),
  ])
  const persons = await listOutreachPersons(tx, {
    leadIds: enrollments.flatMap(({ lead_id }) => lead_id ?? []),
    contactIds: enrollments.flatMap(({ contact_id }) => contact_id ?? []),
  })
  const byId = <T extends { id: string }>(rows: readonly T[]) => new Map(rows.map((row) => [row.id, row]))
  const [enrollmentById, cadenceById, stepById] = [byId(enrollments), byId(cadences), byId(steps)]
  return {
    ...rest,
    items: items.map((task): StepTask => {
      const enrollment = enrollmentById.get(task.enrollment_id)!
      const cadence = cadenceById.get(task.cadence_id)!
      const step = stepById.get(task.step_id)!
      const person = persons.get(personIdOf(enrollment))
      return {
        activity_id: task.activity_id,
        type: step.type as StepTask['type'],
        assignee_id: task.task_user_id,
        due_at: task.claimed_at,
        skipped_at: task.skip_at,
        instructions: step.instructions,
        subject_template: step.subject_template,
        body_template: step.body_template,
        enrollment_id: enrollment.id,
        cadence: { id: cadence.id, name: cadence.name },
        step: { id: step.id, position: step.position },
        record: {
          type: enrollment.lead_id ? 'lead' : 'contact',
          id: personIdOf(enrollment),
          name: person?.name ?? null,
          email: person?.email ?? null,
        },
      }
    }),
  }
}
