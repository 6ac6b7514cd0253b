import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { assertVersion, invalid } from '#platform/errors'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { cadenceUpdated } from '../../marketing.events.ts'
import { lockCadence } from '../cadence-records/cadences.queries.ts'
import { listSteps } from '../cadence-records/steps.queries.ts'
import { assertNotArchived } from './cadence.rules.ts'
import { toCadence } from './cadence-details.service.ts'
import { listRemovedSteps, markStepsRemoved, updateCadenceRow, upsertSteps } from './cadences.queries.ts'
import type { Cadence, CadenceSteps } from './cadences.schemas.ts'
import { assertTemplates } from './create-cadence.service.ts'
import { changeEnrollments } from './live-enrollments.service.ts'
import { assertKnownSteps, moveRemovedSteps, toStepValues } from './steps.rules.ts'

type StepsUpdate = { steps: CadenceSteps['steps']; expectedVersion?: number }

/** Removed steps stay for the history of their runs; enrollments that wait for them continue with the next step. */
export async function replaceCadenceSteps(
  tx: TenantTx,
  id: string,
  { steps: requested, expectedVersion }: StepsUpdate,
  { clock }: Pick<Services, 'clock'>,
): Promise<Cadence> {
  const cadence = await lockCadence(tx, id)
  assertVersion(cadence, expectedVersion)
  assertNotArchived(cadence)
  const before = await listSteps(tx, [id])
  assertKnownSteps(before, requested)
  if (!requested.length && cadence.status !== 'draft')
    throw invalid('body', '/steps', 'min_items', '`steps` must not be empty, because the cadence is not a draft.')
  const values = toStepValues(requested)
  await assertTemplates(tx, values)
  const keptIds = new Set(values.map((step) => step.id))
  const removed = before.filter((step) => !keptIds.has(step.id))
  const removedBefore = await listRemovedSteps(tx, id)
  const now = clock.now()
  await upsertSteps(
    tx,
    values.map((step) => ({ ...step, cadence_id: id })),
  )
  await markStepsRemoved(tx, moveRemovedSteps([...removed, ...removedBefore], before, values), now)
  const updated = await updateCadenceRow(tx, id, { name: cadence.name })
  await recordAudit(tx, 'cadence.steps_replaced', {
    id,
    label: cadence.name,
    before: { steps: before },
    after: { steps: values },
  })
  await emit(tx, cadenceUpdated, updated, { changed: ['steps'] })
  if (removed.length && cadence.status !== 'draft') await changeEnrollments(tx, updated, 'leave_removed_steps', now)
  return await toCadence(tx, updated)
}
