import type { SignedIn } from '#platform/access'
import { recentActivityOf } from '#platform/audit'
import type { Cache } from '#platform/cache'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import type { ProfilePart } from '#platform/module'
import { listDirectReports } from './profile.queries.ts'
import { arrangeParts, visibleActivity } from './profile.rules.ts'
import { getUser } from './users.queries.ts'

type Circumstances = { parts: readonly ProfilePart[]; cache: Cache; periodDays: number; now: Date }

const keptSeconds = 30

/** Entries are left out where the viewer may not see what they are about, so more are read than shown. */
const entriesRead = 200

/** A person with the book of business other modules know of. */
export async function getProfile(tx: TenantTx, viewer: SignedIn, userId: string, circumstances: Circumstances) {
  const { periodDays, now } = circumstances
  const user = await getUser(tx, viewer, userId)
  const period = { from: daysLater(now, -periodDays), to: now }
  return {
    user,
    teams: user.teams,
    manager: user.manager,
    direct_reports: await listDirectReports(tx, userId),
    period,
    ...arrangeParts(await recallParts(tx, viewer, userId, circumstances, period)),
    recent_activity: visibleActivity(viewer, userId, await recentActivityOf(tx, userId, entriesRead)),
  }
}

type Period = { from: Date; to: Date }
type Parts = Record<string, unknown>

/** Counting a book of business is work for many queries. Kept for each viewer, since a part may depend on who asks. */
async function recallParts(
  tx: TenantTx,
  viewer: SignedIn,
  userId: string,
  { parts, cache, periodDays }: Circumstances,
  period: Period,
): Promise<Parts> {
  const seen = parts.filter(({ scope }) => viewer.scopes.has(scope))
  if (seen.length === 0) return {}
  const name = ['profile', userId, periodDays, viewer.userId, ...seen.map((part) => part.name)].join(':')
  return await cache.remember(viewer.tenantId, name, keptSeconds, () => loadParts(tx, viewer, userId, seen, period))
}

async function loadParts(
  tx: TenantTx,
  viewer: SignedIn,
  userId: string,
  parts: readonly ProfilePart[],
  period: Period,
): Promise<Parts> {
  const loaded: Parts = {}
  for (const { name, load } of parts) loaded[name] = await load(tx, viewer, userId, period)
  return loaded
}
