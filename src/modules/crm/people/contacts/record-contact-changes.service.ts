import { recordAuditEntries } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { emitMany } from '#platform/outbox'
import { contactUpdated } from '../../crm.events.ts'
import { lockCustomFieldsShared } from '../../records/custom-values/field-definitions.queries.ts'
import { claimUniqueValues, indexCustomValues } from '../../records/custom-values/store-custom-values.service.ts'
import {
  type FieldSource,
  type Provenance,
  recordEnrichment,
  recordProvenances,
} from '../../records/fields/provenance.queries.ts'
import { replaceTagsOfMany } from '../../records/fields/tags.queries.ts'
import { withStageReason } from '../../records/person-keys/lifecycle.rules.ts'
import { recordContactStageChange } from './contact-stage.service.ts'
import { contactLabel } from './contact-values.ts'
import type { ContactRow } from './contacts.queries.ts'

export type ContactChange = { before: ContactRow; after: ContactRow; fields: string[]; reason: string | undefined }

type ChangeContext = { provenance: Provenance; enrichedFrom?: readonly FieldSource[]; now: Date }

export async function recordContactChanges(
  tx: TenantTx,
  changes: readonly ContactChange[],
  { provenance, enrichedFrom, now }: ChangeContext,
): Promise<void> {
  if (!changes.length) return
  await storeCustom(
    tx,
    changes.flatMap(({ after, fields }) => (fields.includes('custom') ? [after] : [])),
  )
  await replaceTagsOfMany(
    tx,
    'contact',
    changes.flatMap(({ after: { id, tags }, fields }) => (fields.includes('tags') ? [{ id, tags }] : [])),
  )
  if (enrichedFrom) for (const { after } of changes) await recordEnrichment(tx, 'contact', after.id, enrichedFrom, now)
  else
    await recordProvenances(
      tx,
      'contact',
      changes.map(({ after, fields }) => ({ id: after.id, fields })),
      { source: provenance, at: now },
    )
  await recordAuditEntries(
    tx,
    'contact.updated',
    changes.map(({ before, after, reason }) => ({
      id: after.id,
      label: contactLabel(after),
      before,
      after: withStageReason(after, reason),
    })),
  )
  await emitMany(
    tx,
    contactUpdated,
    changes.map(({ after, fields }) => ({ subject: after, data: { changed: fields } })),
  )
  for (const { before, after, reason } of changes)
    if (after.lifecycle_stage !== before.lifecycle_stage)
      await recordContactStageChange(tx, before, after, { reason, cause: 'user', now })
}

async function storeCustom(tx: TenantTx, contacts: readonly ContactRow[]): Promise<void> {
  if (!contacts.length) return
  await indexCustomValues(tx, 'contact', contacts)
  const fields = await lockCustomFieldsShared(tx, 'contact')
  if (!fields.some(({ is_unique }) => is_unique)) return
  for (const contact of contacts) await claimUniqueValues(tx, 'contact', contact)
}
