import type { ExpressionBuilder } from 'kysely'
import { Type } from 'typebox'
import { type Database, decodeCursor, directionOf, type TenantTx, toPage, totalOf } from '#platform/db'
import { Id } from '#platform/schema'
import { keyColumns, selectKeyDetails } from './api-keys.queries.ts'
import type { ApiKeyFilter } from './api-keys.schemas.ts'

type Keys = ExpressionBuilder<Database, 'identity.api_keys'>
type Filter = ApiKeyFilter & { created_by?: string }

const SortKey = Type.Tuple([Id])

export async function listApiKeyRows(tx: TenantTx, filter: Filter, now: Date) {
  const { created_by, user_id, status, connected_app_id, sort, ...page } = filter
  const order = directionOf(sort, '-created_at')
  let keys = tx.selectFrom('identity.api_keys')
  if (created_by) keys = keys.where('created_by', '=', created_by)
  if (user_id) keys = keys.where('created_by', '=', user_id)
  if (connected_app_id) keys = keys.where('connected_app_id', '=', connected_app_id)
  if (status) keys = keys.where((eb) => eb.or(status.map((value) => hasStatus(eb, value, now))))

  let pageQuery = keys
    .select(keyColumns)
    .orderBy('id', order.direction)
    .limit(page.limit + 1)
  if (page.cursor) pageQuery = pageQuery.where('id', order.after, decodeCursor(page.cursor, SortKey, order)[0])
  else pageQuery = pageQuery.offset(page.offset)

  const rows = await selectKeyDetails(tx, pageQuery).orderBy('key.id', order.direction).execute()
  return toPage(rows, await totalOf(tx, keys, page), page, ({ id }) => [id], order)
}

function hasStatus(eb: Keys, status: 'active' | 'expired' | 'revoked', now: Date) {
  if (status === 'revoked') return eb('revoked_at', 'is not', null)
  const isExpired = eb('expires_at', '<=', now)
  const isNotExpired = eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)])
  return eb.and([eb('revoked_at', 'is', null), status === 'expired' ? isExpired : isNotExpired])
}
