import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type LastSeen = { id: string; at: Date }
export type LastUse = LastSeen & { ip: string }

// Rows locked by other transactions are skipped: presence must not block requests, and the next flush updates them.

export async function markSessionsSeen(tx: TenantTx, seen: readonly LastSeen[]): Promise<void> {
  await sql`
    with seen as (
      select session.id, note.at
      from unnest(${seen.map(({ id }) => id)}::uuid[], ${seen.map(({ at }) => at)}::timestamptz[]) as note (id, at)
      join identity.sessions session on session.id = note.id and session.last_seen_at < note.at
      for update of session skip locked
    )
    update identity.sessions session set last_seen_at = seen.at from seen where session.id = seen.id
  `.execute(tx)
}

export async function markUsersSeen(tx: TenantTx, seen: readonly LastSeen[]): Promise<void> {
  await sql`
    with seen as (
      select presence.user_id, note.at
      from unnest(${seen.map(({ id }) => id)}::uuid[], ${seen.map(({ at }) => at)}::timestamptz[]) as note (id, at)
      join identity.user_presence presence
        on presence.user_id = note.id and (presence.last_seen_at < note.at or presence.last_seen_at is null)
      for update of presence skip locked
    )
    update identity.user_presence presence set last_seen_at = seen.at from seen where presence.user_id = seen.user_id
  `.execute(tx)
}

export async function markKeysUsed(tx: TenantTx, used: readonly LastUse[]): Promise<void> {
  await sql`
    with used as (
      select key.id, note.at, note.ip
      from unnest(${used.map(({ id }) => id)}::uuid[], ${used.map(({ at }) => at)}::timestamptz[],
        ${used.map(({ ip }) => ip)}::inet[]) as note (id, at, ip)
      join identity.api_keys key on key.id = note.id and (key.last_used_at < note.at or key.last_used_at is null)
      for update of key skip locked
    )
    update identity.api_keys key set last_used_at = used.at, last_used_ip = used.ip from used where key.id = used.id
  `.execute(tx)
}
