import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** The deals with an account, those that were deleted too: they may come back. */
export function listNamesOfDeals(tx: TenantTx, accountId: string) {
  return tx.selectFrom('crm.opportunities').select(['id', 'name']).where('account_id', '=', accountId).execute()
}

export async function storeSearchTexts(tx: TenantTx, texts: readonly { id: string; search_text: string }[]) {
  const [ids, found] = [texts.map(({ id }) => id), texts.map(({ search_text }) => search_text)]
  await sql`
    update crm.opportunities as deal set search_text = renamed.found
    from unnest(${ids}::uuid[], ${found}::text[]) as renamed (id, found)
    where deal.id = renamed.id and deal.search_text <> renamed.found
  `.execute(tx)
}
