import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type Database, selectRows, type TenantTx, type Tree } from '#platform/db'
import { notFound } from '#platform/errors'

type Accounts = Database['crm.accounts']

export const accountSummaryColumns = [
  'id',
  'name',
  'domain',
  'type',
  'industry',
  'employee_count',
  'owner_id',
  'last_activity_at',
  'tags',
  'custom',
  'created_at',
  'version',
] as const
export type AccountSummaryRow = Pick<Selectable<Accounts>, (typeof accountSummaryColumns)[number]>

export const accountColumns = [
  'id',
  'name',
  'name_key',
  'domain',
  'website',
  'type',
  'industry',
  'employee_count',
  'annual_revenue_minor',
  'annual_revenue_currency',
  'annual_revenue_base_minor',
  'phone',
  'address',
  'timezone',
  'parent_account_id',
  'owner_id',
  'tags',
  'notes',
  'custom',
  'last_activity_at',
  'created_by',
  'created_at',
  'updated_at',
  'deleted_at',
  'deleted_by',
  'version',
] as const
export type AccountRow = Pick<Selectable<Accounts>, (typeof accountColumns)[number]>

/** Includes deleted accounts, because they can be restored. */
export const accountTree: Tree = { table: 'crm.accounts', parent: 'parent_account_id' }

const selectAccount = (tx: TenantTx, id: string) =>
  tx.selectFrom('crm.accounts').select(accountColumns).where('id', '=', id)

export const findAccount = (tx: TenantTx, id: string): Promise<AccountRow | undefined> =>
  selectAccount(tx, id).where('deleted_at', 'is', null).executeTakeFirst()

/** Leaves out deleted and unknown accounts. */
export const listAccountsById = (tx: TenantTx, ids: readonly string[]): Promise<AccountRow[]> =>
  tx
    .selectFrom('crm.accounts')
    .select(accountColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute()

export async function getAccount(tx: TenantTx, id: string): Promise<AccountRow> {
  return requireNotDeleted(await findAccount(tx, id))
}

export const findAccountIncludingDeleted = (tx: TenantTx, id: string): Promise<AccountRow | undefined> =>
  selectAccount(tx, id).executeTakeFirst()

export async function lockAccount(tx: TenantTx, id: string): Promise<AccountRow> {
  return requireNotDeleted(await lockAccountIncludingDeleted(tx, id))
}

export const lockAccountIncludingDeleted = (tx: TenantTx, id: string): Promise<AccountRow | undefined> =>
  selectAccount(tx, id).forNoKeyUpdate().executeTakeFirst()

function requireNotDeleted(account: AccountRow | undefined): AccountRow {
  if (!account || account.deleted_at !== null) throw notFound('account')
  return account
}

export function insertAccount(tx: TenantTx, account: Insertable<Accounts>): Promise<AccountRow> {
  return tx.insertInto('crm.accounts').values(account).returning(accountColumns).executeTakeFirstOrThrow()
}

type NamedAccount = {
  id: string
  name: string
  name_key: string
  domain: string | null
  search_text: string
  custom: object
}

export async function insertNamedAccounts(
  tx: TenantTx,
  accounts: readonly NamedAccount[],
  created: { created_by: string | null; created_at: Date },
): Promise<AccountRow[]> {
  const { columns, rows } = selectRows(
    accounts.map((account) => ({ ...account, ...created, updated_at: created.created_at })),
    {
      id: 'uuid',
      name: 'text',
      name_key: 'text',
      domain: 'text',
      search_text: 'text',
      custom: 'jsonb',
      created_by: 'uuid',
      created_at: 'timestamptz',
      updated_at: 'timestamptz',
    },
  )
  const inserted = await tx
    .insertInto('crm.accounts')
    .columns(columns)
    .expression(rows as never)
    .returning(accountColumns)
    .execute()
  const byId = new Map(inserted.map((account) => [account.id, account]))
  return accounts.map(({ id }) => byId.get(id)!)
}

export function updateAccountRow(tx: TenantTx, id: string, fields: Updateable<Accounts>): Promise<AccountRow> {
  return tx
    .updateTable('crm.accounts')
    .set(fields)
    .where('id', '=', id)
    .returning(accountColumns)
    .executeTakeFirstOrThrow()
}

export async function listAccountDomains(tx: TenantTx, ids: readonly string[]): Promise<string[]> {
  if (!ids.length) return []
  const accounts = await tx
    .selectFrom('crm.accounts')
    .select('domain')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('domain', 'is not', null)
    .execute()
  return accounts.map(({ domain }) => domain!)
}

export type AccountTotals = { contacts: number; open_opportunities: number; open_minor: number; won_minor: number }

/** Number of contacts and open deals, and deal amounts in the base currency. */
export async function getAccountTotals(tx: TenantTx, accountId: string): Promise<AccountTotals> {
  return (await listAccountTotals(tx, [accountId])).get(accountId)!
}

export async function listAccountTotals(tx: TenantTx, ids: readonly string[]): Promise<Map<string, AccountTotals>> {
  const { rows } = await sql<AccountTotals & { id: string }>`
    select account.id, deals.open_opportunities, deals.open_minor, deals.won_minor,
      (select count(*) from crm.contacts where account_id = account.id and deleted_at is null) as contacts
    from unnest(${ids}::uuid[]) as account (id)
    cross join lateral (
      select count(*) filter (where kind = 'open') as open_opportunities,
        coalesce(sum(amount_base_minor) filter (where kind = 'open'), 0)::bigint as open_minor,
        coalesce(sum(amount_base_minor) filter (where kind = 'won'), 0)::bigint as won_minor
      from crm.opportunities where account_id = account.id and deleted_at is null
    ) as deals
  `.execute(tx)
  return new Map(rows.map(({ id, ...totals }) => [id, totals]))
}
