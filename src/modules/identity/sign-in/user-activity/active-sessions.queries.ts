import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Role } from '#platform/access'
import { decodeCursor, type Page, type TenantTx, toPage, toTotal } from '#platform/db'
import { Id, Instant, type PageQuery } from '#platform/schema'

const SortKey = Type.Tuple([Instant, Id])
const maxSessionsPerUser = 10

type ActivityWindow = { now: Date; since: Date }

/** Compares both expiry columns as one expression, so that the planner does not use the expiry index, which lacks tenant_id. */
const isOnline = ({ now, since }: ActivityWindow) =>
  sql`s.revoked_at is null and s.last_seen_at >= ${since} and least(s.expires_at, s.idle_expires_at) > ${now}`

export type OnlineUser = {
  user: { id: string; name: string; email: string; role: Role; avatar_url: string | null }
  session_count: number
  last_seen_at: Date
  sessions: OnlineSession[]
}

export async function listOnlineUsers(
  tx: TenantTx,
  window: ActivityWindow,
  page: PageQuery,
): Promise<Page<OnlineUser>> {
  const users = await listOnlineUserRows(tx, window, page)
  const total = await countOnlineUsers(tx, window, page)
  const { items, ...rest } = toPage(users, total, page, ({ last_seen_at, id }) => [last_seen_at.toISOString(), id])
  const sessions = await listSessionsOf(tx, window, items)
  return {
    ...rest,
    items: items.map(({ session_count, last_seen_at, ...user }) => ({
      user,
      session_count,
      last_seen_at,
      sessions: sessions.get(user.id) ?? [],
    })),
  }
}

type OnlineUserRow = OnlineUser['user'] & { session_count: number; last_seen_at: Date }

/** Truncates to milliseconds, the precision of the cursor. */
async function listOnlineUserRows(
  tx: TenantTx,
  window: ActivityWindow,
  { limit, offset, cursor }: PageQuery,
): Promise<OnlineUserRow[]> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor, SortKey)
  const start = after
    ? sql`where (online.last_seen_at, online.user_id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`
    : sql``
  const { rows } = await sql<OnlineUserRow>`
    with online as (
      select s.user_id, count(*) as session_count, date_trunc('milliseconds', max(s.last_seen_at)) as last_seen_at
      from identity.sessions s where ${isOnline(window)}
      group by s.user_id
    )
    select u.id, u.name, u.email, u.role, u.avatar_url, online.session_count, online.last_seen_at
    from online join identity.users u on u.id = online.user_id ${start}
    order by online.last_seen_at desc, online.user_id desc
    limit ${limit + 1} offset ${after ? 0 : offset}
  `.execute(tx)
  return rows
}

async function countOnlineUsers(tx: TenantTx, window: ActivityWindow, page: PageQuery) {
  if (page.cursor || page.count === 'none') return toTotal(0, page)
  const { rows } = await sql<{ total: number }>`
    select count(distinct s.user_id) as total from identity.sessions s where ${isOnline(window)}
  `.execute(tx)
  return toTotal(rows[0]?.total ?? 0, page)
}

export type OnlineSession = {
  id: string
  auth_method: string
  ip: string
  user_agent: string | null
  started_at: Date
  last_seen_at: Date
  actor: { id: string; name: string } | null
}
type SessionRow = Omit<OnlineSession, 'actor'> & {
  user_id: string
  actor_user_id: string | null
  actor_name: string | null
}

const sessionColumns = sql`
  s.user_id, s.id, s.auth_method, s.ip, s.user_agent, s.created_at as started_at, s.last_seen_at, s.actor_user_id`

/** Leaves out revoked, expired and unknown sessions. */
export async function listSessionsById(tx: TenantTx, ids: readonly string[], now: Date): Promise<OnlineSession[]> {
  const { rows } = await sql<SessionRow>`
    select ${sessionColumns}, actor.name as actor_name
    from identity.sessions s left join identity.users actor on actor.id = s.actor_user_id
    where s.id = any (${ids}::uuid[]) and s.revoked_at is null and least(s.expires_at, s.idle_expires_at) > ${now}
  `.execute(tx)
  return rows.map(toSession)
}

async function listSessionsOf(
  tx: TenantTx,
  window: ActivityWindow,
  users: { id: string }[],
): Promise<Map<string, OnlineSession[]>> {
  const { rows } = await sql<SessionRow>`
    select recent.*, actor.name as actor_name
    from unnest(${users.map(({ id }) => id)}::uuid[]) as online (user_id)
    cross join lateral (
      select ${sessionColumns} from identity.sessions s where s.user_id = online.user_id and ${isOnline(window)}
      order by s.last_seen_at desc, s.id desc
      limit ${maxSessionsPerUser}
    ) as recent
    left join identity.users actor on actor.id = recent.actor_user_id
    order by recent.last_seen_at desc, recent.id desc
  `.execute(tx)
  const sessions = Map.groupBy(rows, ({ user_id }) => user_id)
  return new Map([...sessions].map(([userId, userSessions]) => [userId, userSessions.map(toSession)]))
}

const toSession = ({ user_id: _, actor_user_id, actor_name, ...session }: SessionRow): OnlineSession => ({
  ...session,
  actor: actor_user_id === null ? null : { id: actor_user_id, name: actor_name ?? '' },
})
