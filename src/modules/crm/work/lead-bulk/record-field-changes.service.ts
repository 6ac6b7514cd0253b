import { recordAuditEntries } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { emitMany } from '#platform/outbox'
import { leadUpdated } from '../../crm.events.ts'
import type { ChangedLead } from '../../people/lead-records/lead-stage.service.ts'
import { provenanceOf, recordProvenances } from '../../records/fields/provenance.queries.ts'
import type { BulkContext } from '../bulk/bulk-action.ts'

/** Records what an update of single leads records, with a fixed number of statements. */
export async function recordFieldChanges(
  tx: TenantTx,
  changes: readonly ChangedLead[],
  fieldsOf: (change: ChangedLead) => string[],
  { actor, now }: BulkContext,
): Promise<void> {
  if (!changes.length) return
  await recordProvenances(
    tx,
    'lead',
    changes.map((change) => ({ id: change.after.id, fields: fieldsOf(change) })),
    { source: provenanceOf(actor), at: now },
  )
  await recordAuditEntries(
    tx,
    'lead.updated',
    changes.map(({ before, after }) => ({ id: after.id, label: after.name, before, after })),
  )
  await emitMany(
    tx,
    leadUpdated,
    changes.map((change) => ({ subject: change.after, data: { changed: fieldsOf(change) } })),
  )
}
