import { findContactPermissions } from '#modules/crm'
import type { TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { emailClicked, emailOpened } from '../../marketing.events.ts'
import { addCounts, countStep } from '../cadence-records/add-counts.queries.ts'
import { findTrackedAddress, updateFirstHit } from './tracking.queries.ts'
import type { TrackingKeys } from './tracking-keys.ts'
import { isScanner, latestSendTime, type TrackedKind, type TrackedLink } from './tracking-tokens.rules.ts'

export type Hit = { token: string; slug: string; method: string; userAgent: string | undefined }
type HitServices = Pick<Services, 'clock' | 'secrets'> & { keys: TrackingKeys }

/** Returns the URL that the email contained. Records the first click of a person; consent and enrollment do not change. */
export async function getClickedUrl(tx: TenantTx, services: HitServices, hit: Hit): Promise<string> {
  const link = await services.keys.readLink(tx, 'click', hit.token, hit.slug)
  if (!link) throw notFound('link')
  await recordFirstHit(tx, services, link, hit)
  return link.url
}

export async function recordOpen(tx: TenantTx, services: HitServices, hit: Hit): Promise<void> {
  const link = await services.keys.readLink(tx, 'open', hit.token, hit.slug)
  if (link) await recordFirstHit(tx, services, link, hit)
}

async function recordFirstHit(
  tx: TenantTx,
  services: HitServices,
  { kind, runId }: TrackedLink,
  hit: Hit,
): Promise<void> {
  if (isScanner(hit) || !(await isTracked(tx, services, runId, kind))) return
  const now = services.clock.now()
  const run = await updateFirstHit(tx, runId, kind, { now, sentBefore: latestSendTime(now) })
  if (!run) return
  const [event, measure] = kind === 'click' ? ([emailClicked, 'clicked'] as const) : ([emailOpened, 'opened'] as const)
  await emit(tx, event, { id: runId }, { kind: 'cadence', ref_id: run.enrollment_id })
  await addCounts(tx, countStep(run, measure))
}

/** Whether the hit would be the first one of a person who was neither erased nor has opted out. */
async function isTracked(tx: TenantTx, services: HitServices, runId: string, kind: TrackedKind): Promise<boolean> {
  const address = await findTrackedAddress(tx, runId, kind)
  if (address === null) return false
  const permissions = await findContactPermissions(tx, services, [address], { channel: 'email' })
  const permission = permissions.get(address)!
  return permission.allowed || (permission.code !== 'opted_out' && permission.code !== 'processing_restricted')
}
