import { findContactPermissions, readCrmSettings } from '#modules/crm'
import { lockEmailPlaces, queueEmails, takeEmailPlaces } from '#modules/email'
import { filterActiveUserIds } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { type CadenceRow, lockCadencesShared } from '../cadence-records/cadences.queries.ts'
import type { EnrollmentRow } from '../cadence-records/enrollments.queries.ts'
import { listRuns, type RunRow } from '../cadence-records/runs.queries.ts'
import { addSendCounts, listSendCounts } from '../cadence-records/send-counts.queries.ts'
import { listSteps } from '../cadence-records/steps.queries.ts'
import { cadenceEmailKind } from '../cadence-runs/cadence-email-kind.ts'
import { decideEmailRun, type OtherOutcome, type RunDecision, toOtherOutcome } from '../cadence-runs/claim.rules.ts'
import {
  lockFreeEnrollments,
  lockWaitingRuns,
  type MovedRun,
  updateClaimedRuns,
} from '../cadence-runs/due-runs.queries.ts'
import { storeRunDecisions } from '../cadence-runs/plan-runs.service.ts'
import { listSentSteps, personIdOf, type RunContext, readRunContext } from '../cadence-runs/run-times.service.ts'
import { chooseEmailsOfToday, nextDayRunTime } from './email-limits.rules.ts'

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
  const emails = [...context.persons.values()].flatMap(({ email }) => email ?? [])
  const [permissions, sentSteps, activeSenders] = await Promise.all([
    findContactPermissions(tx, services, emails, { channel: 'email' }),
    listSentSteps(
      tx,
      emails.map((email) => email.toLowerCase()),
    ),
    filterActiveUserIds(
      tx,
      locked.flatMap(({ sender_id }) => sender_id ?? []),
    ),
  ])
  const stepsSentTo = Map.groupBy(sentSteps, ({ email_key }) => email_key)
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
      sentToAddress: stepsSentTo.get(email?.toLowerCase() ?? '') ?? [],
      times: context.timesOf(cadence, enrollment),
      now,
    })
    return { run, enrollment, cadence, decision }
  })
  const changed = await storeDecisions(tx, candidates, { context, now })
  const others = candidates.flatMap(toOtherOutcome)
  return { changed: changed + others.length, others }
}

type ClaimContext = { context: RunContext; now: Date }

async function storeDecisions(
  tx: TenantTx,
  candidates: readonly Candidate[],
  { context, now }: ClaimContext,
): Promise<number> {
  const allowed = candidates.filter(({ decision }) => decision.type === 'claim')
  const { claimed, later, day } = await takePlaces(tx, allowed, { context, now })
  const changed = await storeRunDecisions(tx, candidates, { claimed, later })
  if (!claimed.length) return changed
  const claimedIds = claimed.map(({ run }) => run.id)
  await updateClaimedRuns(tx, claimedIds, { now, day })
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

type TakenPlaces = { claimed: readonly Candidate[]; later: MovedRun[]; day: string }

/**
 * Takes places of today, which all emails of the workspace share, and moves the other runs to their next day. Only one transaction of
 * the workspace does so at a time.
 */
async function takePlaces(
  tx: TenantTx,
  allowed: readonly Candidate[],
  { context, now }: ClaimContext,
): Promise<TakenPlaces> {
  if (!allowed.length) return { claimed: [], later: [], day: '' }
  const places = await lockEmailPlaces(tx, now)
  const { day, remaining } = places
  const senderOf = ({ enrollment }: Candidate) => enrollment.sender_id!
  const [{ sending }, sent] = await Promise.all([readCrmSettings(tx), listSendCounts(tx, day, allowed.map(senderOf))])
  const limitOf = (id: string) =>
    Math.min(context.senders.get(id)?.daily_limit ?? Infinity, sending.daily_limit_per_sender)
  const leftOf = (id: string) => limitOf(id) - (sent.get(id) ?? 0)
  const { chosen, others, counts } = chooseEmailsOfToday(allowed, senderOf, { remaining, leftOf })
  await takeEmailPlaces(tx, places, chosen.length)
  await addSendCounts(tx, day, counts)
  const later = others.map(({ run, enrollment, cadence }) => {
    const runAt = nextDayRunTime(day, context.timezone, context.timesOf(cadence, enrollment))
    return { id: run.id, enrollment_id: run.enrollment_id, run_at: runAt }
  })
  return { claimed: chosen, later, day }
}
