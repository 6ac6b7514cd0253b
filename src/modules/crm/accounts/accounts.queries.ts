import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type Database, holdTurn, type TenantTx, type Tree } from '#platform/db'
import { notFound } from '#platform/errors'

type Accounts = Database['crm.accounts']

export const accountColumns = [
  ...(['id', 'name', 'name_key', 'domain', 'website', 'type', 'industry', 'employee_count'] as const),
  ...(['annual_revenue_minor', 'annual_revenue_currency', 'annual_revenue_base_minor', 'phone', 'address'] as const),
  ...(['timezone', 'parent_account_id', 'owner_id', 'tags', 'notes', 'custom', 'last_activity_at'] as const),
  ...(['created_by', 'created_at', 'updated_at', 'deleted_at', 'deleted_by', 'version'] as const),
] as const
export type AccountRow = Pick<Selectable<Accounts>, (typeof accountColumns)[number]>

/** Also with those that were deleted: they may be brought back. */
export const accountTree: Tree = { table: 'crm.accounts', parent: 'parent_account_id' }

const one = (tx: TenantTx, id: string) => tx.selectFrom('crm.accounts').select(accountColumns).where('id', '=', id)

export const findAccount = (tx: TenantTx, id: string): Promise<AccountRow | undefined> =>
  one(tx, id).where('deleted_at', 'is', null).executeTakeFirst()

export async function getAccount(tx: TenantTx, id: string): Promise<AccountRow> {
  return living(await findAccount(tx, id))
}

/** Also one that was deleted. */
export const findAnyAccount = (tx: TenantTx, id: string): Promise<AccountRow | undefined> =>
  one(tx, id).executeTakeFirst()

/** Nobody else changes the account until the transaction ends. */
export async function lockAccount(tx: TenantTx, id: string): Promise<AccountRow> {
  return living(await lockAnyAccount(tx, id))
}

/** Also one that was deleted. */
export const lockAnyAccount = (tx: TenantTx, id: string): Promise<AccountRow | undefined> =>
  one(tx, id).forNoKeyUpdate().executeTakeFirst()

/** A live account that keeps its name and is not deleted until the transaction ends, for whoever is about to refer to it. */
export const holdAccount = (tx: TenantTx, id: string): Promise<AccountRow | undefined> =>
  one(tx, id).where('deleted_at', 'is', null).forShare().executeTakeFirst()

function living(account: AccountRow | undefined): AccountRow {
  if (!account || account.deleted_at !== null) throw notFound('account')
  return account
}

export function insertAccount(tx: TenantTx, account: Insertable<Accounts>): Promise<AccountRow> {
  return tx.insertInto('crm.accounts').values(account).returning(accountColumns).executeTakeFirstOrThrow()
}

/** The only way an account changes. */
export function changeAccountFields(tx: TenantTx, id: string, fields: Updateable<Accounts>): Promise<AccountRow> {
  return tx
    .updateTable('crm.accounts')
    .set(fields)
    .where('id', '=', id)
    .returning(accountColumns)
    .executeTakeFirstOrThrow()
}

/** One at a time for the same domain, so that of two at once the second sees the first. Ahead of any account. */
export async function holdDomain(tx: TenantTx, domain: string): Promise<void> {
  await holdTurn(tx, `account_domain:${domain}`)
}

export async function findAccountIdByDomain(tx: TenantTx, domain: string): Promise<string | undefined> {
  const found = await tx
    .selectFrom('crm.accounts')
    .select('id')
    .where('domain', '=', domain)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return found?.id
}

/** What live accounts are called, by id. */
export async function namesOfAccounts(tx: TenantTx, ids: Iterable<string>): Promise<Map<string, string>> {
  const wanted = [...new Set(ids)]
  if (!wanted.length) return new Map()
  const accounts = await tx
    .selectFrom('crm.accounts')
    .select(['id', 'name'])
    .where('id', 'in', wanted)
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(accounts.map(({ id, name }) => [id, name]))
}

/** How much there is of an account: who works there, and what is or was sold to it, in the base currency. */
export async function sumUpAccount(tx: TenantTx, accountId: string) {
  const sums = sql<{ contacts: number; open_opportunities: number; open_minor: number; won_minor: number }>`(
    select (select count(*) from crm.contacts where account_id = ${accountId} and deleted_at is null) as contacts,
      count(*) filter (where kind = 'open') as open_opportunities,
      coalesce(sum(amount_base_minor) filter (where kind = 'open'), 0)::bigint as open_minor,
      coalesce(sum(amount_base_minor) filter (where kind = 'won'), 0)::bigint as won_minor
    from crm.opportunities where account_id = ${accountId} and deleted_at is null)`
  return await tx
    .selectFrom(sums.as('sums'))
    .select(['contacts', 'open_opportunities', 'open_minor', 'won_minor'])
    .executeTakeFirstOrThrow()
}
