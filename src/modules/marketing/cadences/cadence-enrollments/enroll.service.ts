import { assertAssignable } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { invalid } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { runInlineOrTask, type StartedTask } from '#platform/tasks'
import { getCadenceRow } from '../cadence-records/cadences.queries.ts'
import { assertMayChooseSender } from './chosen-sender.service.ts'
import { startEnrolling } from './enroll.jobs.ts'
import { assertEnrollable, enrollPersons } from './enroll-persons.service.ts'
import { countOutcomes, toEnrolledPersons } from './enroll-result.rules.ts'
import type { EnrolledPersons, NewEnrollments } from './enrollments.schemas.ts'

const maxIds = 10_000

/** Enrolls up to 200 persons at once, more in a task. */
export async function enrollInCadence(
  tx: TenantTx,
  actor: UserActor,
  cadenceId: string,
  { lead_ids = [], contact_ids = [], sender_id: senderId }: NewEnrollments,
  services: Pick<Services, 'clock' | 'secrets'>,
): Promise<EnrolledPersons | StartedTask> {
  const [leadIds, contactIds] = [[...new Set(lead_ids)], [...new Set(contact_ids)]]
  const total = leadIds.length + contactIds.length
  if (!total) throw invalid('body', '/lead_ids', 'required', '`lead_ids` or `contact_ids` is required.')
  if (total > maxIds)
    throw invalid('body', '/contact_ids', 'too_many', 'At most 10,000 leads and contacts can be enrolled at once.')
  assertEnrollable(await getCadenceRow(tx, cadenceId))
  await assertAssignable(tx, senderId, '/sender_id')
  await assertMayChooseSender(tx, actor, senderId)
  return await runInlineOrTask(total, {
    async runInline() {
      const options = { senderId, via: 'manual', now: services.clock.now(), requestKey: newId() } as const
      const outcomes = await enrollPersons(tx, actor, cadenceId, { leadIds, contactIds }, options, services)
      return toEnrolledPersons(countOutcomes(outcomes), outcomes)
    },
    startTask: () =>
      startEnrolling(tx, actor, {
        cadence_id: cadenceId,
        lead_ids: leadIds,
        contact_ids: contactIds,
        ...(senderId !== undefined && { sender_id: senderId }),
      }),
  })
}
