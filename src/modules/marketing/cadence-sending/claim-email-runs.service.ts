import {
  type ContactPermission,
  findContactPermissions,
  lockEmailPlaces,
  queueEmails,
  readCrmSettings,
  takeEmailPlaces,
} from '#modules/crm'
import { filterActiveUserIds } from '#modules/identity'
import { addDays, dayInTimezone } from '#platform/calendar'
import { acquireAdvisoryLock, type TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { type CadenceRow, lockCadencesShared } from '../cadence-records/cadences.queries.ts'
import type { EnrollmentRow } from '../cadence-records/enrollments.queries.ts'
import { listRuns, type RunRow } from '../cadence-records/runs.queries.ts'
import { addSendCounts, listSendCounts } from '../cadence-records/send-counts.queries.ts'
import { listSteps } from '../cadence-records/steps.queries.ts'
import { decideEmailRun, type OtherOutcome, type RunDecision, toOtherOutcome } from '../cadence-runs/claim.rules.ts'
import {
  lockFreeEnrollments,
  lockWaitingRuns,
  type MovedRun,
  updateClaimedRuns,
} from '../cadence-runs/due-runs.queries.ts'
import { personIdOf, type RunContext, readRunContext } from '../cadence-runs/run-times.service.ts'
import { storeRunDecisions } from '../cadence-runs/store-decisions.service.ts'
import { cadenceEmailKind } from './cadence-email-kind.ts'
import { createSendCounter, findLaterPlace, hasPlace, maxDaysAhead, type SendLimits } from './email-limits.rules.ts'

type Candidate = { run: RunRow; enrollment: EnrollmentRow; cadence: CadenceRow; decision: RunDecision }

/**
 * Queues the emails of due runs that may be sent now, and moves those outside their window or above a limit. Whether the person may be
 * contacted is decided again when the email is sent.
 */
export async function claimEmailRuns(
  tx: TenantTx,
  services: Services,
  runIds: readonly string[],
): Promise<{ changed: number; others: OtherOutcome[] }> {
  const now = services.clock.now()
  const found = await listRuns(tx, runIds)
  const cadences = await lockCadencesShared(tx, [...new Set(found.map(({ cadence_id }) => cadence_id))])
  const cadenceById = new Map(cadences.map((cadence) => [cadence.id, cadence]))
  const stepIds = new Set((await listSteps(tx, [...cadenceById.keys()])).map(({ id }) => id))
  const locked = await lockFreeEnrollments(
    tx,
    found.map(({ enrollment_id }) => enrollment_id),
  )
  const enrollments = new Map(locked.map((row) => [row.id, row]))
  const free = found.filter(({ enrollment_id }) => enrollments.has(enrollment_id))
  const runs = await lockWaitingRuns(
    tx,
    free.map(({ id }) => id),
  )
  // Read after the enrollments are locked, because a merge gives an enrollment to another person.
  const context = await readRunContext(tx, locked)
  const permissions = await readPermissions(tx, services, context)
  const activeSenders = await filterActiveUserIds(
    tx,
    locked.flatMap(({ sender_id }) => sender_id ?? []),
  )
  const candidates = runs.map((run): Candidate => {
    const enrollment = enrollments.get(run.enrollment_id)!
    const cadence = cadenceById.get(run.cadence_id)!
    const email = context.persons.get(personIdOf(enrollment))?.email ?? null
    const decision = decideEmailRun({
      run,
      enrollment,
      cadence,
      isStepLive: stepIds.has(run.step_id),
      isSenderActive: enrollment.sender_id !== null && activeSenders.has(enrollment.sender_id),
      permission: email === null ? undefined : permissions.get(email),
      times: context.timesOf(cadence, enrollment),
      now,
    })
    return { run, enrollment, cadence, decision }
  })
  const changed = await storeDecisions(tx, candidates, { context, now })
  const others = candidates.flatMap(toOtherOutcome)
  return { changed: changed + others.length, others }
}

async function readPermissions(
  tx: TenantTx,
  services: Services,
  { persons }: RunContext,
): Promise<Map<string, ContactPermission>> {
  const emails = [...persons.values()].flatMap(({ email }) => email ?? [])
  return await findContactPermissions(tx, services, emails, { channel: 'email' })
}

type ClaimContext = { context: RunContext; now: Date }

async function storeDecisions(
  tx: TenantTx,
  candidates: readonly Candidate[],
  { context, now }: ClaimContext,
): Promise<number> {
  const allowed = candidates.filter(({ decision }) => decision.type === 'claim')
  const { claimed, later, counts, day } = await reservePlaces(tx, allowed, { context, now })
  const changed = await storeRunDecisions(tx, candidates, { claimed, later })
  const claimedIds = claimed.map(({ run }) => run.id)
  await updateClaimedRuns(tx, claimedIds, { now, day })
  await addSendCounts(tx, counts)
  await queueEmails(
    tx,
    claimed.map(({ run, enrollment }) => {
      const { email, name } = context.persons.get(personIdOf(enrollment))!
      const { lead_id, contact_id } = enrollment
      const to = { address: email!, name }
      return {
        id: run.id,
        kind: cadenceEmailKind,
        ref_id: enrollment.id,
        to,
        lead_id,
        contact_id,
        run_at: now,
        counted_on: day,
      }
    }),
  )
  return changed
}

/**
 * Takes places of today, which all emails of the workspace share, or else reserves them on the first later days. Only one transaction of
 * the workspace does so at a time.
 */
async function reservePlaces(tx: TenantTx, allowed: readonly Candidate[], { context, now }: ClaimContext) {
  const { timezone, senders } = context
  if (!allowed.length) return { claimed: [], later: [], counts: [], day: dayInTimezone(now, timezone) }
  const places = await lockEmailPlaces(tx, now)
  const { day, remaining } = places
  const claimed = allowed.filter(({ run }) => run.reserved_on === day).slice(0, remaining)
  const others = allowed.filter((candidate) => !claimed.includes(candidate))
  const later: MovedRun[] = []
  const counts = new Map<string, { day: string; sender_id: string; emails: number }>()
  if (others.length) {
    await acquireAdvisoryLock(tx, 'cadence_emails')
    const senderIds = [...new Set(others.map(({ enrollment }) => enrollment.sender_id!))]
    const { sending } = await readCrmSettings(tx)
    const sent = await listSendCounts(tx, { from: day, to: addDays(day, maxDaysAhead) }, senderIds)
    const counter = createSendCounter(sent.senders, sent.totals)
    const limits: SendLimits = {
      ofSender: (id) => Math.min(senders.get(id)?.daily_limit ?? Infinity, sending.daily_limit_per_sender),
      total: sending.daily_limit_tenant,
    }
    const reserve = (onDay: string, senderId: string) => {
      counter.add(onDay, senderId)
      const key = `${onDay} ${senderId}`
      counts.set(key, { day: onDay, sender_id: senderId, emails: (counts.get(key)?.emails ?? 0) + 1 })
    }
    for (const candidate of others) {
      const { run, enrollment, cadence } = candidate
      const senderId = enrollment.sender_id!
      if (claimed.length < remaining && hasPlace(counter, limits, day, senderId)) {
        reserve(day, senderId)
        claimed.push(candidate)
        continue
      }
      const place = { times: context.timesOf(cadence, enrollment), senderId, timezone }
      const { runAt, day: placeDay } = findLaterPlace(now, place, { counter, limits })
      if (placeDay) reserve(placeDay, senderId)
      later.push({ id: run.id, enrollment_id: run.enrollment_id, run_at: runAt, reserved_on: placeDay })
    }
  }
  await takeEmailPlaces(tx, places, claimed.length)
  return { claimed, later, counts: [...counts.values()], day }
}
