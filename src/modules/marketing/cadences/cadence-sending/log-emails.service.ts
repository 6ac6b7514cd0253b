import { logEmails } from '#modules/crm'
import { listEmailsById } from '#modules/email'
import type { TenantTx } from '#platform/db'
import { listEnrollments } from '../cadence-records/enrollments.queries.ts'
import { listRuns } from '../cadence-records/runs.queries.ts'
import { personIdOf } from '../cadence-runs/run-times.service.ts'
import type { EmailResult } from './store-results.service.ts'

/** Logs sent emails in the timelines of the persons, in a transaction of its own: persons are locked before enrollments. */
export async function logSentEmails(tx: TenantTx, results: readonly EmailResult[], now: Date): Promise<void> {
  const runs = await listRuns(
    tx,
    results.map(({ id }) => id),
  )
  const enrollments = await listEnrollments(
    tx,
    runs.map(({ enrollment_id }) => enrollment_id),
  )
  const enrollmentById = new Map(enrollments.map((enrollment) => [enrollment.id, enrollment]))
  const emails = await listEmailsById(
    tx,
    runs.map(({ id }) => id),
  )
  const logged = runs.map((run) => {
    const enrollment = enrollmentById.get(run.enrollment_id)!
    const email = emails.get(run.id)
    return {
      kind: enrollment.lead_id ? ('lead' as const) : ('contact' as const),
      id: personIdOf(enrollment),
      external_id: `sent:${run.id}`,
      subject: email?.subject?.slice(0, 200) ?? null,
      at: email?.sent_at ?? now,
    }
  })
  await logEmails(tx, logged, now)
}
