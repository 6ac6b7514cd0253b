import { type RawBuilder, sql } from 'kysely'
import { compileOnce, type TenantTx } from '#platform/db'

/** A null key matches nothing. */
export type MatchKeys = { id: string; email_key: string | null; name_key: string | null; company_key: string | null }

export type DuplicateRow = {
  entity_type: 'lead' | 'contact'
  id: string
  name: string | null
  email: string | null
  company: string | null
  owner_id: string | null
  created_at: Date
  by_email: boolean
}

export const maxDuplicates = 50

/** One more than `maxDuplicates` shows that there are more. Each kind of match reads at most this many rows. */
const rowLimit = sql.lit(maxDuplicates + 1)

const maxAccounts = sql.lit(200)

type KeyExpressions = Record<keyof MatchKeys, unknown>

export const listDuplicateRows = compileOnce((tx: TenantTx, keys: MatchKeys) =>
  tx
    .selectFrom(distinctMatches(keys).as('duplicate'))
    .select(['entity_type', 'id', 'name', 'email', 'company', 'owner_id', 'created_at', 'by_email'])
    .orderBy('by_email', 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .limit(rowLimit),
)

export const duplicateCountOf = (keys: KeyExpressions) =>
  sql<number>`(select least(count(*), ${sql.lit(maxDuplicates)})::int from ${distinctMatches(keys)} as duplicate)`

function distinctMatches(keys: KeyExpressions) {
  const matches = sql`${matchingLeads(keys)} union all ${contactsByEmail(keys)} union all ${contactsByName(keys)}`
  return sql<DuplicateRow>`(
    select distinct on (entity_type, id) entity_type, id, name, email, company, owner_id, created_at, by_email
    from (${matches}) as matches order by entity_type, id, by_email desc)`
}

function matchingLeads({ id, email_key, name_key, company_key }: KeyExpressions): RawBuilder<unknown> {
  const oldest = (isByEmail: boolean, condition: RawBuilder<unknown>) => sql`(
    select 'lead' as entity_type, id, name, email, company, owner_id, created_at, ${sql.lit(isByEmail)} as by_email
    from crm.leads where deleted_at is null and id <> ${id} and ${condition} order by created_at, id limit ${rowLimit})`
  const byEmail = oldest(true, sql`email_key = ${email_key}::text`)
  const byName = oldest(false, sql`name_key = ${name_key}::text and company_key = ${company_key}::text`)
  return sql`${byEmail} union all ${byName}`
}

const contactsByEmail = ({ id, email_key }: KeyExpressions): RawBuilder<unknown> => sql`(
    select 'contact', id, name, email, account_name, owner_id, created_at, true
    from crm.contacts where deleted_at is null and id <> ${id} and email_key = ${email_key}::text limit ${rowLimit})`

const contactsByName = ({ id, name_key, company_key }: KeyExpressions): RawBuilder<unknown> => sql`(
    select 'contact', contact.id, contact.name, contact.email, account.name, contact.owner_id, contact.created_at, false
    from (
      select id, name from crm.accounts where deleted_at is null and name_key = ${company_key}::text
      order by id limit ${maxAccounts}
    ) as account
    cross join lateral (
      select id, name, email, owner_id, created_at from crm.contacts
      where deleted_at is null and id <> ${id} and name_key = ${name_key}::text and account_id = account.id
      order by created_at, id limit ${rowLimit}
    ) as contact
    order by contact.created_at, contact.id limit ${rowLimit})`
