import type { TenantTx } from '#platform/db'
import type { AppError } from '#platform/errors'
import { findUniqueValues } from '../../records/custom-values/custom-values.queries.ts'
import { lockCustomFieldsShared } from '../../records/custom-values/field-definitions.queries.ts'
import { toUniqueValues, type UniqueValue } from '../../records/custom-values/index-entries.rules.ts'
import { valueTaken } from '../../records/custom-values/store-custom-values.service.ts'
import { emailTaken } from '../lead-records/lead-email.service.ts'
import { findLeadIdsByEmails, lockLeadEmails } from '../lead-records/leads.queries.ts'
import type { LeadDraft } from './new-lead.rules.ts'

type Errors = Map<number, AppError>

const keyOf = ({ field_id, value_hash }: UniqueValue) => `${field_id}:${value_hash}`

/** Drops leads whose email address or unique value another lead has, also an earlier one of the same batch. */
export async function dropDuplicates(
  tx: TenantTx,
  drafts: readonly LeadDraft[],
  { rejectsEmails }: { rejectsEmails: boolean },
  errors: Errors,
): Promise<LeadDraft[]> {
  const emailKeyOf = ({ input }: LeadDraft) => (rejectsEmails && input.email ? input.email.toLowerCase() : undefined)
  const emailOwners = await findEmailOwners(
    tx,
    drafts.flatMap((draft) => emailKeyOf(draft) ?? []),
  )
  const wanted = await readWantedValues(tx, drafts)
  const all = [...wanted.values.values()].flat()
  const valueOwners = new Map((all.length ? await findUniqueValues(tx, all) : []).map((value) => [keyOf(value), value]))
  return drafts.filter((draft) => {
    const emailKey = emailKeyOf(draft)
    const values = wanted.values.get(draft.id) ?? []
    const emailOwner = emailKey && emailOwners.get(emailKey)
    const taken = values.map((value) => valueOwners.get(keyOf(value))).find((value) => value !== undefined)
    if (emailOwner) errors.set(draft.index, emailTaken(emailOwner))
    else if (taken) errors.set(draft.index, valueTaken(wanted.fieldKeyOf(taken), taken.record_id))
    if (emailOwner || taken) return false
    if (emailKey) emailOwners.set(emailKey, draft.id)
    for (const value of values) valueOwners.set(keyOf(value), value)
    return true
  })
}

async function findEmailOwners(tx: TenantTx, emailKeys: readonly string[]): Promise<Map<string, string>> {
  if (!emailKeys.length) return new Map()
  await lockLeadEmails(tx, emailKeys)
  return await findLeadIdsByEmails(tx, emailKeys)
}

async function readWantedValues(tx: TenantTx, drafts: readonly LeadDraft[]) {
  const fields = (await lockCustomFieldsShared(tx, 'lead')).filter(({ is_unique }) => is_unique)
  const values = new Map(drafts.map(({ id, input }) => [id, toUniqueValues(fields, id, input.custom ?? {})]))
  const fieldKeyOf = ({ field_id }: UniqueValue) => fields.find(({ id }) => id === field_id)?.key ?? 'custom'
  return { values, fieldKeyOf }
}
