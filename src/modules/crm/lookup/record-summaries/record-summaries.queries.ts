import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { accountColumns } from '../../people/accounts/accounts.queries.ts'
import { contactColumns } from '../../people/contacts/contacts.queries.ts'
import { listedLeadColumns } from '../../people/lead-records/leads.queries.ts'
import { visibleCustom } from '../../records/custom-values/custom-values.queries.ts'

const isAny = (ids: readonly string[]) => sql<string>`any(${ids}::uuid[])`
const customOf = (table: string) => visibleCustom(table).as('custom')

export const listLeadRowsByIds = (tx: TenantTx, ids: readonly string[]) =>
  tx
    .selectFrom('crm.leads')
    .select(listedLeadColumns)
    .select(customOf('crm.leads'))
    .where('id', '=', isAny(ids))
    .execute()

export const listContactRowsByIds = (tx: TenantTx, ids: readonly string[]) =>
  tx
    .selectFrom('crm.contacts')
    .select(contactColumns)
    .select(customOf('crm.contacts'))
    .where('id', '=', isAny(ids))
    .execute()

export const listAccountRowsByIds = (tx: TenantTx, ids: readonly string[]) =>
  tx
    .selectFrom('crm.accounts')
    .select(accountColumns)
    .select(customOf('crm.accounts'))
    .where('id', '=', isAny(ids))
    .execute()

export type RecordLabel = {
  id: string
  name: string | null
  email: string | null
  company: string | null
  owner_id: string | null
  created_at: Date
}

type LabelReader = (tx: TenantTx, ids: readonly string[]) => Promise<RecordLabel[]>

const labelReaders: Record<'lead' | 'contact' | 'account', LabelReader> = {
  lead: (tx, ids) =>
    tx
      .selectFrom('crm.leads')
      .select(['id', 'name', 'email', 'company', 'owner_id', 'created_at'])
      .where('id', '=', isAny(ids))
      .execute(),
  contact: (tx, ids) =>
    tx
      .selectFrom('crm.contacts')
      .select(['id', 'name', 'email', 'account_name as company', 'owner_id', 'created_at'])
      .where('id', '=', isAny(ids))
      .execute(),
  account: (tx, ids) =>
    tx
      .selectFrom('crm.accounts')
      .select(['id', 'name', 'name as company', 'owner_id', 'created_at'])
      .select(sql<null>`null::text`.as('email'))
      .where('id', '=', isAny(ids))
      .execute(),
}

/** Returns short descriptions of the records, in the order of `ids`. */
export async function listRecordLabels(
  tx: TenantTx,
  objectType: keyof typeof labelReaders,
  ids: readonly string[],
): Promise<RecordLabel[]> {
  const labels = new Map((await labelReaders[objectType](tx, ids)).map((label) => [label.id, label]))
  return ids.flatMap((id) => labels.get(id) ?? [])
}
