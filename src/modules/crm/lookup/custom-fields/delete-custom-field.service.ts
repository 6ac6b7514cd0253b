import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { assertVersion, conflict, notFound, roleRequired } from '#platform/errors'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { customFieldDeleted } from '../../crm.events.ts'
import { startRescore } from '../../people/scoring/rescore.jobs.ts'
import { isSearchable } from '../../records/custom-values/custom-text.ts'
import { enqueuePurge, enqueueTextIndexing, enqueueUniqueRemoval } from './custom-fields.jobs.ts'
import {
  deleteCustomFieldRow,
  lockCustomField,
  lockCustomFields,
  updateCustomFieldRow,
} from './custom-fields.queries.ts'
import { countUses, getFieldUsage } from './field-usage.service.ts'

type DeleteOptions = { force?: boolean; expectedVersion?: number }

/** Deletes a used field only with `force`: it is hidden at once, a job deletes its values, and leads it scored are scored again. */
export async function deleteCustomField(
  tx: TenantTx,
  { role }: UserActor,
  id: string,
  { force = false, expectedVersion }: DeleteOptions,
  { clock, registry }: Pick<Services, 'clock' | 'registry'>,
): Promise<void> {
  if (force && role !== 'admin') throw roleRequired('Only admins may delete a custom field together with its values.')
  await lockCustomFields(tx)
  const field = await lockCustomField(tx, id)
  if (!field) throw notFound('custom field')
  assertVersion(field, expectedVersion)
  const usage = await getFieldUsage(tx, field, { registry })
  const counts = countUses(usage)
  if (Object.values(counts).some((count) => count > 0) && !force)
    throw conflict('field_in_use', 'The custom field is used. Deactivate it, or delete it with `force=true`.', {
      usage: counts,
    })

  if (usage.records) {
    await updateCustomFieldRow(tx, id, {
      deleted_at: clock.now(),
      index_state: 'none',
      is_unique: false,
      unique_state: 'none',
    })
    await enqueuePurge(tx, id)
  } else {
    await enqueueUniqueRemoval(tx, id)
    await deleteCustomFieldRow(tx, id)
  }
  if (isSearchable(field)) await enqueueTextIndexing(tx, field.object_type)
  await recordAudit(tx, 'custom_field.deleted', { id, label: field.label, before: field })
  if (usage.scoring_rules.length) await startRescore(tx)
  const { object_type, key } = field
  await emit(tx, customFieldDeleted, field, { object_type, key, scoring_rules: usage.scoring_rules })
}
