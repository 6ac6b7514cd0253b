import { listRecordLabels, parseRecordRule, readRuleContext } from '#modules/crm'
import type { UserActor } from '#platform/access'
import { isDatabaseTimeout, type TenantTx } from '#platform/db'
import type { RequestTransaction } from '#platform/http'
import { nilUuid } from '#platform/ids'
import type { Services } from '#platform/module'
import { assertMayReadMembers } from '../segments/segment.rules.ts'
import { readLowerBound, readPreview } from './segment-preview.queries.ts'
import { hasTextScan, partsOf, toCount } from './segment-preview.rules.ts'
import type { PreviewRequest, SegmentPreview } from './segment-preview.schemas.ts'

/** Amounts of data that a transaction reads, each much cheaper than the one before. */
const attempts = ['all', 'newest', 'nothing'] as const
type Attempt = (typeof attempts)[number]

const cappedCount = 10_000
const exactCount = 2 ** 53 - 2

/** Counts and samples the records that match. If that exceeds the time limit, another transaction reads a lower bound. */
export async function previewSegment(
  services: Pick<Services, 'clock' | 'registry'>,
  actor: UserActor,
  request: PreviewRequest,
  inRequestTransaction: RequestTransaction,
): Promise<SegmentPreview> {
  assertMayReadMembers(actor, request.object_type)
  const startedAt = services.clock.now()
  for (const attempt of attempts)
    try {
      return await inRequestTransaction(async (tx) => {
        const preview = await readAttempt(tx, actor, request, attempt, { ...services, startedAt })
        return { ...preview, duration_ms: services.clock.now().getTime() - startedAt.getTime() }
      })
    } catch (error) {
      if (!isDatabaseTimeout(error) || attempt === 'nothing') throw error
    }
  throw new Error('The last attempt must return or throw.')
}

async function readAttempt(
  tx: TenantTx,
  actor: UserActor,
  { object_type, rules, sample_size, breakdown, count }: PreviewRequest,
  attempt: Attempt,
  { registry, startedAt }: Pick<Services, 'registry'> & { startedAt: Date },
): Promise<Omit<SegmentPreview, 'duration_ms'>> {
  const rule = await parseRecordRule(tx, object_type, rules, { registry }, { within: [nilUuid] })
  const context = await readRuleContext(tx, startedAt, actor.userId)
  const scans = hasTextScan(rule) ? ['contains_scan' as const] : []
  if (attempt !== 'all') {
    const bound = { rule, context, sampleSize: sample_size }
    const read = attempt === 'newest' ? await readLowerBound(tx, bound) : { count: 0, sample: [] }
    const sample = await listRecordLabels(tx, object_type, read.sample)
    return { count: read.count, count_relation: 'gte', sample, breakdown: null, warnings: [...scans, 'time_limit'] }
  }
  const parts = breakdown ? partsOf(rules, rule) : []
  const maxCount = count === 'exact' ? exactCount : cappedCount
  const plan = { rule, parts: parts.map((part) => part.rule), context, sampleSize: sample_size, maxCount }
  const read = await readPreview(tx, plan)
  return {
    ...toCount(read.count, maxCount),
    sample: await listRecordLabels(tx, object_type, read.sample),
    breakdown: breakdown
      ? parts.map(({ path }, index) => ({ path, ...toCount(Number(read.parts[index]), maxCount) }))
      : null,
    warnings: scans,
  }
}
