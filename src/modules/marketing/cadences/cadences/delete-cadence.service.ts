import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { assertVersion, conflict, roleRequired } from '#platform/errors'
import { emit } from '#platform/outbox'
import { cadenceDeleted } from '../../marketing.events.ts'
import { lockCadence } from '../cadence-records/cadences.queries.ts'
import { mayDelete } from './cadence.rules.ts'
import { deleteCadenceRow, hasEnrollments } from './cadences.queries.ts'

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
