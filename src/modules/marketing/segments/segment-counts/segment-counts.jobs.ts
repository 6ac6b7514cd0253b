import { countMatchingRecords, readRuleContext } from '#modules/crm'
import { isDatabaseTimeout, raiseStatementTimeout, type TenantTx } from '#platform/db'
import { defineFrequentTenantSchedule, type JobContext } from '#platform/jobs'
import type { Services } from '#platform/module'
import { markCountsDue } from '../segments/member-counts.queries.ts'
import { listSegmentIdsUsing } from '../segments/segment-references.queries.ts'
import { parseSegment } from '../segments/segment-rule.service.ts'
import { findSegment, lockSegments } from '../segments/segments.queries.ts'
import {
  countNewestMembers,
  findDueCount,
  listSegmentsToCount,
  listTenantsToCount,
  type MemberCount,
  storeCount,
} from './segment-counts.queries.ts'
import { dependsOnUser, nextCountAt } from './segment-counts.rules.ts'

const batchSize = 200
/** Time of a workspace in one run. Its last count can take five seconds more, which stays below the slice of the schedule. */
const shareMs = 4_000
const attempts = [
  { records: 'all', seconds: 3 },
  { records: 'newest', seconds: 1 },
] as const
type Attempt = (typeof attempts)[number]

const largestCount = 2 ** 31 - 1
const unknown: MemberCount = { member_count: null, relation: null }

type CountServices = Pick<Services, 'clock' | 'registry'>
type CountContext = Pick<JobContext, 'inTenant' | 'signal' | 'log'>

/** Counts the members of due segments, changed ones first. What exceeds the share of a workspace waits for the next run. */
export const countSegmentsSchedule = (services: CountServices) =>
  defineFrequentTenantSchedule('marketing.count_segments', '*/5 * * * *', {
    listTenants: (tx) => listTenantsToCount(tx, services.clock.now()),
    async runForTenant(context) {
      const startedAt = services.clock.now().getTime()
      for (const id of await context.inTenant((tx) => listSegmentsToCount(tx, services.clock.now(), batchSize))) {
        context.signal.throwIfAborted()
        if (services.clock.now().getTime() - startedAt > shareMs) return
        await countSegment(context, id, services)
      }
    },
  })

async function countSegment(context: CountContext, id: string, services: CountServices): Promise<void> {
  const due = await context.inTenant((tx) => findDueCount(tx, id))
  if (!due) return
  const countedAt = services.clock.now()
  const count = await readCount(context, id, services)
  const dueAt = nextCountAt(countedAt, services.clock.now().getTime() - countedAt.getTime())
  await context.inTenant((tx) => storeCount(tx, due, count, { countedAt, dueAt }))
  if (due.is_changed) await context.inTenant((tx) => markUsers(tx, id))
}

/** Counts a segment in the transaction of the caller, for few records only. */
export async function refreshSegmentCount(tx: TenantTx, id: string, services: CountServices): Promise<void> {
  const due = await findDueCount(tx, id)
  if (!due) return
  const countedAt = services.clock.now()
  const count = await countMembers(tx, id, attempts[0], services)
  await storeCount(tx, due, count, { countedAt, dueAt: nextCountAt(countedAt, 0) })
}

/** A count that fails leaves the number unknown and does not stop the other segments. */
async function readCount({ inTenant, signal, log }: CountContext, id: string, services: CountServices) {
  for (const attempt of attempts)
    try {
      return await inTenant((tx) => countMembers(tx, id, attempt, services))
    } catch (error) {
      signal.throwIfAborted()
      if (isDatabaseTimeout(error)) continue
      log.error({ err: error, segment_id: id }, 'members of a segment could not be counted')
      return unknown
    }
  return unknown
}

async function countMembers(
  tx: TenantTx,
  id: string,
  { records, seconds }: Attempt,
  services: CountServices,
): Promise<MemberCount> {
  const segment = await findSegment(tx, id)
  const parsed = segment && (await parseSegment(tx, segment, services))
  if (!parsed || 'problems' in parsed || dependsOnUser(parsed.rule)) return unknown
  const context = await readRuleContext(tx, services.clock.now(), null)
  await raiseStatementTimeout(tx, seconds)
  if (records === 'newest') return { member_count: await countNewestMembers(tx, parsed.rule, context), relation: 'gte' }
  return { member_count: await countMatchingRecords(tx, parsed.rule, context, largestCount), relation: 'eq' }
}

/** Segments whose rules use a changed segment change with it. */
async function markUsers(tx: TenantTx, id: string): Promise<void> {
  const users = await listSegmentIdsUsing(tx, 'segment', id)
  if (!users.length) return
  await lockSegments(tx)
  await markCountsDue(tx, users)
}
