import type { ExpressionBuilder } from 'kysely'
import { Type } from 'typebox'
import { afterCursor, type Database, type TenantTx, toPage, totalOf } from '#platform/db'
import { Id } from '#platform/schema'
import { describeKeys, keyColumns } from './api-keys.queries.ts'
import type { ApiKeyFilter } from './api-keys.schemas.ts'

type Keys = ExpressionBuilder<Database, 'identity.api_keys'>
type Filter = ApiKeyFilter & { created_by?: string }

const SortKey = Type.Tuple([Id])

/** The newest first. `created_by` is whose keys may be seen at all; without it everybody's. */
export async function pageOfKeys(tx: TenantTx, filter: Filter, now: Date) {
  const { created_by, user_id, status, connected_app_id, ...page } = filter
  let keys = tx.selectFrom('identity.api_keys')
  if (created_by) keys = keys.where('created_by', '=', created_by)
  if (user_id) keys = keys.where('created_by', '=', user_id)
  if (connected_app_id) keys = keys.where('connected_app_id', '=', connected_app_id)
  if (status) keys = keys.where((eb) => eb.or(status.map((one) => isIn(eb, one, now))))

  let picked = keys
    .select(keyColumns)
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
  if (page.cursor) picked = picked.where('id', '<', afterCursor(page.cursor, SortKey)[0])
  else picked = picked.offset(page.offset)

  const rows = await describeKeys(tx, picked).orderBy('key.id', 'desc').execute()
  return toPage(rows, await totalOf(tx, keys, page), page, ({ id }) => [id])
}

function isIn(eb: Keys, status: 'active' | 'expired' | 'revoked', now: Date) {
  if (status === 'revoked') return eb('revoked_at', 'is not', null)
  const isOver = eb('expires_at', '<=', now)
  const goesOn = eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)])
  return eb.and([eb('revoked_at', 'is', null), status === 'expired' ? isOver : goesOn])
}
