import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { acquireAdvisoryLocks, actorOf, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { ConsentChannel, ConsentState } from './consent.rules.ts'

export type PersonKind = 'lead' | 'contact'
export type PersonRef = { kind: PersonKind; id: string }

export type NewConsentEvent = {
  subject_hash: Buffer | null
  channel: ConsentChannel
  from_status: string
  to_status: string
}

export type ConsentProof = {
  basis: string
  source: string
  evidence?: string | null
  at: Date
  now: Date
  record?: PersonRef
}

export async function insertConsentEvents(
  tx: TenantTx,
  events: readonly NewConsentEvent[],
  { basis, source, evidence = null, at, now, record }: ConsentProof,
): Promise<void> {
  if (!events.length) return
  await sql`
    insert into crm.consent_events (id, subject_hash, channel, from_status, to_status,
      entity_type, record_id, basis, source, evidence, actor_user_id, at, created_at)
    select event.*, ${record?.kind ?? null}, ${record?.id ?? null}::uuid, ${basis}, ${source}, ${evidence},
      ${actorOf(tx).userId}::uuid, ${at}::timestamptz, ${now}::timestamptz
    from unnest(${events.map(newId)}::uuid[], ${events.map(({ subject_hash }) => subject_hash)}::bytea[],
      ${events.map(({ channel }) => channel)}::text[], ${events.map(({ from_status }) => from_status)}::text[],
      ${events.map(({ to_status }) => to_status)}::text[]) as event
  `.execute(tx)
}

const channels: readonly ConsentChannel[] = ['email', 'survey', 'phone', 'processing']

export type SubjectChannel = { subject_hash: Buffer; channel: ConsentChannel }
type LatestEvent = ConsentState & SubjectChannel

/** Reads one index entry per subject and channel, however long the history is. */
export async function listLatestEvents(tx: TenantTx, subjects: readonly SubjectChannel[]): Promise<LatestEvent[]> {
  const { rows } = await sql<LatestEvent>`
    select subject.hash as subject_hash, subject.channel, latest.from_status, latest.to_status, latest.basis, latest.source, latest.at, latest.created_at
    from unnest(${subjects.map(({ subject_hash }) => subject_hash)}::bytea[],
      ${subjects.map(({ channel }) => channel)}::text[]) as subject (hash, channel)
    cross join lateral (
      select from_status, to_status, basis, source, at, created_at from crm.consent_events event
      where event.subject_hash = subject.hash and event.channel = subject.channel
      order by event.position desc limit 1) latest
  `.execute(tx)
  return rows
}

const historyColumns = sql`event.id, event.position, event.channel, event.from_status as from, event.to_status as to,
  event.basis, event.source, event.evidence, event.actor_user_id, event.at`

export type ConsentHistoryEntry = {
  id: string
  channel: ConsentChannel
  from: string
  to: string
  basis: string
  source: string
  evidence: string | null
  actor_user_id: string | null
  at: Date
}

export async function listConsentHistory(
  tx: TenantTx,
  subjectHashes: readonly Buffer[],
  recordId: string,
  limit: number,
): Promise<ConsentHistoryEntry[]> {
  const { rows } = await sql<ConsentHistoryEntry>`
    select id, channel, "from", "to", basis, source, evidence, actor_user_id, at from (
      select subject_event.* from unnest(${subjectHashes}::bytea[]) as hash cross join unnest(${channels}::text[]) as channel
      cross join lateral (
        select ${historyColumns} from crm.consent_events event
        where event.subject_hash = hash and event.channel = channel.channel order by event.position desc limit ${limit}) subject_event
      union all (
        select ${historyColumns} from crm.consent_events event
        where event.subject_hash is null and event.record_id = ${recordId} order by event.position desc limit ${limit})
    ) history order by position desc limit ${limit}
  `.execute(tx)
  return rows
}

export async function redactConsentEvents(
  tx: TenantTx,
  subjectHashes: readonly Buffer[],
  recordIds: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ redacted: number }>`
    select crm.redact_consent_events(${subjectHashes}::bytea[], ${recordIds}::uuid[]) as redacted`.execute(tx)
  return rows[0]!.redacted
}

/** Subjects share 256 locks, so that a batch of records does not fill the lock table. */
const lockNameOf = (subject: string): string =>
  `consent:${createHash('sha256').update(subject).digest('hex').slice(0, 2)}`

export const lockConsent = (tx: TenantTx, subjects: readonly string[]): Promise<void> =>
  acquireAdvisoryLocks(tx, subjects.map(lockNameOf))

export const lockConsentShared = (tx: TenantTx, subjects: readonly string[]): Promise<void> =>
  acquireAdvisoryLocks(tx, subjects.map(lockNameOf), { isShared: true })
