import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { changedFields } from '#platform/diff'
import { assertVersion, conflict, roleRequired } from '#platform/errors'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { cadenceDeleted, cadenceStatusChanged, cadenceUpdated } from '../../marketing.events.ts'
import { type CadenceRow, getCadenceRow, lockCadence, lockCadenceNames } from '../cadence-records/cadences.queries.ts'
import { assertCanActivate, assertNotArchived, assertStatusChange, assertTimes, mayDelete } from './cadence.rules.ts'
import { readReadiness, toCadence } from './cadence-details.service.ts'
import { deleteCadenceRow, hasEnrollments, updateCadenceRow } from './cadences.queries.ts'
import type { Cadence, CadenceChanges } from './cadences.schemas.ts'
import { assertReferences, assertUniqueName, toCadenceSearchText } from './create-cadence.service.ts'
import { changeEnrollments } from './live-enrollments.service.ts'

type CadenceUpdate = { changes: CadenceChanges; expectedVersion?: number }

export async function updateCadence(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { changes: requested, expectedVersion }: CadenceUpdate,
  { clock }: Pick<Services, 'clock'>,
): Promise<Cadence> {
  await getCadenceRow(tx, id)
  await lockCadenceNames(tx)
  const cadence = await lockCadence(tx, id)
  assertVersion(cadence, expectedVersion)
  const changed = changedFields({ ...cadence, window: cadence.run_window }, requested) as CadenceChanges
  const fields = Object.keys(changed)
  if (!fields.length) return await toCadence(tx, cadence)

  await assertAllowed(tx, actor, cadence, changed)
  const updated = await writeChanges(tx, cadence, changed)
  await recordAudit(tx, 'cadence.updated', { id, label: updated.name, before: cadence, after: updated })
  const otherFields = fields.filter((field) => field !== 'status')
  if (otherFields.length) await emit(tx, cadenceUpdated, updated, { changed: otherFields })
  if (changed.status) {
    await emit(tx, cadenceStatusChanged, updated, { from: cadence.status, to: changed.status })
    if (changed.status === 'archived') await changeEnrollments(tx, updated, 'exit', clock.now())
    if (changed.status === 'active') await changeEnrollments(tx, updated, 'plan', clock.now())
  }
  return await toCadence(tx, updated)
}

async function assertAllowed(
  tx: TenantTx,
  actor: UserActor,
  cadence: CadenceRow,
  changed: CadenceChanges,
): Promise<void> {
  assertNotArchived(cadence)
  assertTimes(changed)
  if (changed.status) assertStatusChange(actor, cadence, changed.status)
  await assertReferences(tx, changed)
  if (changed.name !== undefined) await assertUniqueName(tx, changed.name, cadence.id)
  if (changed.status === 'active') assertCanActivate((await readReadiness(tx, [cadence.id])).get(cadence.id)!)
}

function writeChanges(tx: TenantTx, cadence: CadenceRow, changed: CadenceChanges): Promise<CadenceRow> {
  const { window, exit_on, ...fields } = changed
  // A cadence continues only with the campaign with which it was paused.
  const isMoved = fields.campaign_id !== undefined && cadence.paused_reason === 'campaign'
  return updateCadenceRow(tx, cadence.id, {
    ...fields,
    ...(window && { run_window: JSON.stringify(window) }),
    ...(exit_on && { exit_on: JSON.stringify(exit_on) }),
    ...((fields.status || isMoved) && { paused_reason: null }),
    search_text: toCadenceSearchText({ ...cadence, ...fields }),
  })
}

export async function deleteCadence(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { expectedVersion }: { expectedVersion?: number },
): Promise<void> {
  const cadence = await lockCadence(tx, id)
  if (!mayDelete(actor, cadence)) throw roleRequired('Only managers and the owner of the cadence can delete it.')
  assertVersion(cadence, expectedVersion)
  if (cadence.status !== 'draft' || (await hasEnrollments(tx, id)))
    throw conflict('cadence_has_enrollments', 'Only a draft can be deleted. Archive the cadence instead.')
  await deleteCadenceRow(tx, id)
  await recordAudit(tx, 'cadence.deleted', { id, label: cadence.name, before: cadence })
  await emit(tx, cadenceDeleted, cadence, {})
}
