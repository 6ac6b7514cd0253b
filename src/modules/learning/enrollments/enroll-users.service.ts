import { findUserCards, timezoneOf } from '#modules/identity'
import { recordAudit } from '#platform/audit'
import { addDays, dayInTimezone } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { newId } from '#platform/ids'
import { emitMany } from '#platform/outbox'
import { enrollmentCreated } from '../learning.events.ts'
import { isOpen } from '../progress/progress.rules.ts'
import type { EnrollmentRow } from '../records/enrollment-row.ts'
import type { EnrollmentSource } from '../records/learning.schemas.ts'
import type { PathRow } from '../records/path-row.ts'
import { lockPathShared } from '../records/paths.queries.ts'
import { copyModules, insertEnrollments, type LatestEnrollment, listLatestEnrollments } from './enroll.queries.ts'
import type { Enrolled } from './enrollments.schemas.ts'

export type EnrollOptions = {
  source: EnrollmentSource
  assignedBy: string | null
  isMandatory: boolean
  /** Default: after the days of the path. */
  dueOn?: string | null
  dueOnOf?: ReadonlyMap<string, string>
  /** Which users with an earlier enrollment are enrolled again. */
  again: 'closed' | 'completed' | 'never'
  now: Date
}

/** Enrolls users in a published path with a fixed number of statements. Users who are enrolled are reported, not enrolled twice. */
export async function enrollUsers(
  tx: TenantTx,
  pathId: string,
  userIds: readonly string[],
  options: EnrollOptions,
): Promise<{ result: Enrolled; created: EnrollmentRow[] }> {
  const path = await lockPathShared(tx, pathId)
  assertPublished(path)
  const [cards, latest, timezone] = await Promise.all([
    findUserCards(tx, userIds),
    listLatestEnrollments(tx, pathId, userIds, options.now),
    timezoneOf(tx),
  ])
  const latestOf = new Map(latest.map((enrollment) => [enrollment.user_id, enrollment]))
  const skipped = [...cards.values()].flatMap(({ id, status, role }): Enrolled['skipped'] => {
    if (status !== 'active') return [{ user_id: id, reason: 'inactive' }]
    return role === 'viewer' ? [{ user_id: id, reason: 'viewer' }] : []
  })
  const skippedIds = new Set(skipped.map(({ user_id }) => user_id))
  const eligible = userIds.filter(
    (id) => cards.has(id) && !skippedIds.has(id) && mayEnroll(latestOf.get(id), options.again),
  )
  const { dueOn = path.due_in_days === null ? null : addDays(dayInTimezone(options.now, timezone), path.due_in_days) } =
    options
  const created = await createEnrollments(tx, path, eligible, { ...options, dueOn, latestOf })
  const createdIds = new Set(created.map(({ user_id }) => user_id))
  const others = userIds.filter((id) => cards.has(id) && !skippedIds.has(id) && !createdIds.has(id))
  const current = others.length ? await listLatestEnrollments(tx, pathId, others, options.now) : []
  return {
    created,
    result: {
      enrolled: created.map(({ id, user_id }) => ({ user_id, enrollment_id: id })),
      already: current.map(({ id, user_id }) => ({ user_id, enrollment_id: id })),
      skipped,
    },
  }
}

export function assertPublished({ status }: PathRow): void {
  if (status !== 'published')
    throw conflict(
      'path_not_published',
      `The path is ${status === 'draft' ? 'a draft' : 'archived'}. Publish it first.`,
    )
}

function mayEnroll(latest: LatestEnrollment | undefined, again: EnrollOptions['again']): boolean {
  if (!latest) return true
  if (again === 'never' || isOpen(latest)) return false
  if (again === 'completed') return latest.status === 'completed'
  return latest.status !== 'completed' || latest.is_lapsed
}

type CreateOptions = EnrollOptions & { dueOn: string | null; latestOf: Map<string, LatestEnrollment> }

async function createEnrollments(
  tx: TenantTx,
  path: PathRow,
  userIds: readonly string[],
  { source, assignedBy, isMandatory, dueOn, dueOnOf, latestOf, now }: CreateOptions,
): Promise<EnrollmentRow[]> {
  if (!userIds.length) return []
  const created = await insertEnrollments(
    tx,
    userIds.map((user_id) => ({
      id: newId(),
      path_id: path.id,
      user_id,
      cycle: (latestOf.get(user_id)?.cycle ?? 0) + 1,
      source,
      assigned_by: assignedBy,
      is_mandatory: isMandatory,
      due_on: dueOnOf?.get(user_id) ?? dueOn,
      revision: path.revision,
      created_at: now,
    })),
  )
  if (!created.length) return created
  await copyModules(
    tx,
    path.id,
    created.map(({ id }) => id),
  )
  await recordAudit(tx, 'learning_path.enrolled', {
    id: path.id,
    label: path.title,
    after: { users: created.length, source, due_on: dueOn },
  })
  await emitMany(
    tx,
    enrollmentCreated,
    created.map((enrollment) => ({
      subject: enrollment,
      data: { path_id: path.id, user_id: enrollment.user_id, source, cycle: enrollment.cycle },
    })),
  )
  return created
}
