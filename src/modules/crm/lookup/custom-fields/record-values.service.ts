import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { withErrorPathPrefix } from '#platform/errors'
import type { Services } from '#platform/module'
import { getOpportunity } from '../../deals/opportunities/opportunities.queries.ts'
import { updateOpportunity } from '../../deals/opportunities/update-opportunity.service.ts'
import { getAccount } from '../../people/accounts/accounts.queries.ts'
import { updateAccount } from '../../people/accounts/update-account.service.ts'
import { getContact } from '../../people/contacts/contacts.queries.ts'
import { updateContact } from '../../people/contacts/update-contacts.service.ts'
import { getLead } from '../../people/lead-records/leads.queries.ts'
import { updateLead } from '../../people/leads/update-lead.service.ts'
import { isWritable } from '../../records/custom-values/check-custom-values.service.ts'
import type { CustomValues, ObjectType } from '../../records/custom-values/custom-values.schemas.ts'
import { listFieldsOf, lockCustomFieldsShared } from '../../records/custom-values/field-definitions.queries.ts'
import type { RecordValues, ValueReplacement } from './custom-fields.schemas.ts'

type ValueServices = Pick<Services, 'clock' | 'secrets'>
type RecordRow = { id: string; custom: unknown; version: number }
type ValueUpdate = { changes: { custom: CustomValues }; expectedVersion?: number }

type RecordKind = {
  get(tx: TenantTx, id: string): Promise<RecordRow>
  update(tx: TenantTx, actor: UserActor, id: string, update: ValueUpdate, services: ValueServices): Promise<RecordRow>
}

const recordKinds: Record<ObjectType, RecordKind> = {
  lead: { get: getLead, update: updateLead },
  contact: { get: getContact, update: updateContact },
  account: { get: getAccount, update: updateAccount },
  opportunity: { get: getOpportunity, update: updateOpportunity },
}

type RecordKey = { object_type: ObjectType; record_id: string }

export async function getRecordValues(tx: TenantTx, record: RecordKey): Promise<RecordValues> {
  const row = await recordKinds[record.object_type].get(tx, record.record_id)
  return await toRecordValues(tx, record, row)
}

type ReplaceValuesInput = ValueReplacement & { expectedVersion?: number }

/** Clears the active fields that are left out. */
export async function replaceRecordValues(
  tx: TenantTx,
  actor: UserActor,
  record: RecordKey,
  { values, expectedVersion }: ReplaceValuesInput,
  services: ValueServices,
): Promise<RecordValues> {
  const { get, update } = recordKinds[record.object_type]
  await get(tx, record.record_id)
  const fields = (await lockCustomFieldsShared(tx, record.object_type)).filter(isWritable)
  const cleared = Object.fromEntries(fields.map(({ key }) => [key, null]))
  const changes = { custom: { ...cleared, ...values } }
  const toValuesPath = (path: string) => path.replace(/^\/custom/, '/values')
  const row = await withErrorPathPrefix(toValuesPath, () =>
    update(tx, actor, record.record_id, { changes, expectedVersion }, services),
  )
  return await toRecordValues(tx, record, row)
}

async function toRecordValues(tx: TenantTx, record: RecordKey, row: RecordRow): Promise<RecordValues> {
  const fields = (await listFieldsOf(tx, record.object_type)).filter(({ deleted_at }) => deleted_at === null)
  const custom = row.custom as CustomValues
  const active = fields.filter(({ is_active }) => is_active).map(({ key }) => [key, custom[key] ?? null])
  const inactive = fields
    .filter(({ key, is_active }) => !is_active && key in custom)
    .map(({ key }) => [key, custom[key]])
  return {
    ...record,
    values: Object.fromEntries(active),
    inactive_values: Object.fromEntries(inactive),
    version: row.version,
  }
}
