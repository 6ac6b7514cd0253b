import type { Scope, UserActor } from '#platform/access'
import { listRecentActivity, recordAudit } from '#platform/audit'
import type { Cache } from '#platform/cache'
import { daysLater } from '#platform/clock'
import { type TenantTx, toSearchText } from '#platform/db'
import { changedFields } from '#platform/diff'
import { assertVersion } from '#platform/errors'
import { defineExtensionPoint } from '#platform/module'
import { emit } from '#platform/outbox'
import { userUpdated } from '../../identity.events.ts'
import { getUser, lockUser, type UserRow, updateUserRow } from '../../workspace/user-records/users.queries.ts'
import { assertValidTimezoneAndLocale } from '../../workspace/user-records/users.rules.ts'
import type { OwnProfileChanges } from '../../workspace/user-records/users.schemas.ts'
import { listDirectReports } from './profile.queries.ts'
import { filterVisibleActivity, toProfileParts } from './profile.rules.ts'

/** A part of the user profile from another module; null for a viewer without the scope. */
export type ProfilePart = {
  name: string
  scope: Scope
  load(tx: TenantTx, viewer: UserActor, userId: string, period: { from: Date; to: Date }): Promise<unknown>
}

export const profilePartPoint = defineExtensionPoint<ProfilePart>('parts of the user profile')

type ProfileContext = { parts: readonly ProfilePart[]; cache: Cache; periodDays: number; now: Date }

const cacheSeconds = 30

/** More than are shown, because entries hidden from the viewer are filtered out. */
const maxEntriesRead = 200

export async function getUserProfile(tx: TenantTx, viewer: UserActor, userId: string, context: ProfileContext) {
  const { periodDays, now } = context
  const user = await getUser(tx, viewer, userId)
  const period = { from: daysLater(now, -periodDays), to: now }
  return {
    user,
    teams: user.teams,
    manager: user.manager,
    direct_reports: await listDirectReports(tx, userId),
    period,
    ...toProfileParts(await loadCachedParts(tx, viewer, userId, context, period)),
    recent_activity: filterVisibleActivity(viewer, userId, await listRecentActivity(tx, userId, maxEntriesRead)),
  }
}

type Period = { from: Date; to: Date }
type Parts = Record<string, unknown>

/** Cached per viewer, because a part may depend on the viewer's permissions. */
async function loadCachedParts(
  tx: TenantTx,
  viewer: UserActor,
  userId: string,
  { parts, cache, periodDays }: ProfileContext,
  period: Period,
): Promise<Parts> {
  const visible = parts.filter(({ scope }) => viewer.scopes.has(scope))
  if (visible.length === 0) return {}
  const name = ['profile', userId, periodDays, viewer.userId, ...visible.map((part) => part.name)].join(':')
  return await cache.getOrLoad(viewer.tenantId, name, cacheSeconds, () =>
    loadParts(tx, viewer, userId, visible, period),
  )
}

async function loadParts(
  tx: TenantTx,
  viewer: UserActor,
  userId: string,
  parts: readonly ProfilePart[],
  period: Period,
): Promise<Parts> {
  const loaded: Parts = {}
  for (const { name, load } of parts) loaded[name] = await load(tx, viewer, userId, period)
  return loaded
}

export async function updateOwnProfile(
  tx: TenantTx,
  userId: string,
  input: OwnProfileChanges,
  expectedVersion: number | undefined,
): Promise<UserRow> {
  assertValidTimezoneAndLocale(input)
  const user = await lockUser(tx, userId)
  assertVersion(user, expectedVersion)
  const changes = changedFields(user, input)
  if (Object.keys(changes).length === 0) return user

  const updated = await updateUserRow(tx, userId, {
    ...changes,
    search_text: toSearchText(changes.name ?? user.name, user.email),
  })
  await recordAudit(tx, 'user.updated', { id: userId, label: updated.name, before: user, after: updated })
  await emit(tx, userUpdated, updated, { changed: Object.keys(changes) })
  return updated
}
