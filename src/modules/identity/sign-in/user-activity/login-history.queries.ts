import { Type } from 'typebox'
import { decodeCursor, directionOf, type TenantTx, toPage, totalOf } from '#platform/db'
import { createdAtOf } from '#platform/ids'
import { Id, type SortedPageQuery } from '#platform/schema'
import { deviceOf } from '../login/login.rules.ts'

const SortKey = Type.Tuple([Id])

export async function listLoginRows(tx: TenantTx, userId: string, { sort, ...page }: SortedPageQuery) {
  const order = directionOf(sort, '-occurred_at')
  const events = tx.selectFrom('identity.login_events').where('user_id', '=', userId)

  let rows = events
    .select(['id', 'outcome', 'reason', 'method', 'ip', 'user_agent', 'session_id', 'actor_user_id'])
    .select((eb) =>
      eb
        .selectFrom('identity.users as actor')
        .select('actor.name')
        .whereRef('actor.id', '=', 'identity.login_events.actor_user_id')
        .as('actor_name'),
    )
    .orderBy('id', order.direction)
    .limit(page.limit + 1)
  if (page.cursor) rows = rows.where('id', order.after, decodeCursor(page.cursor, SortKey, order)[0])
  else rows = rows.offset(page.offset)

  const result = toPage(await rows.execute(), await totalOf(tx, events, page), page, ({ id }) => [id], order)
  return { ...result, items: result.items.map(toLogin) }
}

type LoginRow = {
  id: string
  outcome: string
  user_agent: string | null
  actor_user_id: string | null
  actor_name: string | null
}

function toLogin<Row extends LoginRow>({ actor_user_id, actor_name, ...login }: Row) {
  return {
    ...login,
    outcome: login.outcome as 'success' | 'failure',
    occurred_at: createdAtOf(login.id),
    device: deviceOf(login.user_agent),
    actor: actor_user_id === null ? null : { id: actor_user_id, name: actor_name ?? '' },
  }
}
