import { listOutreachPersons, readCrmSettings } from '#modules/crm'
import { listEmailsById } from '#modules/email'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { notify } from '#platform/notify'
import { addCounts, countStep } from '../cadence-records/add-counts.queries.ts'
import type { CadenceRow } from '../cadence-records/cadences.queries.ts'
import { exitLiveEnrollments, pauseEnrollments } from '../cadence-records/end-enrollments.service.ts'
import { isLiveEnrollment } from '../cadence-records/enrollment-states.rules.ts'
import type { EnrollmentRow } from '../cadence-records/enrollments.queries.ts'
import { listRuns, lockRuns, type RunRow } from '../cadence-records/runs.queries.ts'
import { listRecipients, personReplied } from '../cadence-runs/cadence-notifications.ts'
import { markEnrollmentsReplied, markRunReplied } from '../cadence-runs/finish-runs.queries.ts'
import { lockEnrollmentsWithCadences } from '../cadence-runs/lock-runs.service.ts'
import { personIdOf } from '../cadence-runs/run-times.service.ts'
import { listLiveEnrollmentsOfAddresses } from './enrollment-reactions.queries.ts'
import { concernsEnrollment, type Reaction } from './reactions.rules.ts'

/** Stores a reply to an email of any kind. An automatic one only pauses the enrollment of the email for some days. */
export async function storeReply(tx: TenantTx, emailId: string, isAutomatic: boolean, now: Date): Promise<void> {
  const [run] = await listRuns(tx, [emailId])
  if (isAutomatic) {
    const { sending } = await readCrmSettings(tx)
    const until = daysLater(now, sending.auto_reply_pause_days)
    await pauseEnrollments(tx, run ? [run.enrollment_id] : [], { reason: 'auto_reply', until })
    return
  }
  const email = (await listEmailsById(tx, [emailId])).get(emailId)
  if (!email) return
  const { id, lead_id: leadId, contact_id: contactId, to_key, replied_at } = email
  const emailKeys = to_key === null ? [] : [to_key]
  const reply: Reaction = { type: 'reply', id, at: replied_at ?? now, leadId, contactId, emailKeys }
  await applyReactions(tx, [reply], now, { run })
}

type ReactionOptions = {
  /** The run whose email was replied to. Its enrollment may have ended. */
  run?: RunRow | undefined
  /** The user who logged the reactions and needs no notification. */
  loggedBy?: string | null
}

/** A reply or a meeting of a person ends all live enrollments of the person and the email address, in cadences that end with it. */
export async function applyReactions(
  tx: TenantTx,
  found: readonly Reaction[],
  now: Date,
  { run, loggedBy = null }: ReactionOptions = {},
): Promise<void> {
  if (!found.length) return
  const reactions = await addAddresses(tx, found)
  const live = await listLiveEnrollmentsOfAddresses(
    tx,
    {
      leadIds: reactions.flatMap(({ leadId }) => leadId ?? []),
      contactIds: reactions.flatMap(({ contactId }) => contactId ?? []),
    },
    reactions.flatMap(({ emailKeys }) => emailKeys),
  )
  const concerned = live.filter((one) => reactions.some((reaction) => concernsEnrollment(reaction, one)))
  const ids = [...new Set([...concerned.map(({ id }) => id), ...(run ? [run.enrollment_id] : [])])]
  if (!ids.length) return

  const { enrollments, cadenceOf } = await lockEnrollmentsWithCadences(tx, ids)
  const findReaction = (type: Reaction['type'], one: EnrollmentRow) =>
    isLiveEnrollment(one)
      ? reactions.find((reaction) => reaction.type === type && concernsEnrollment(reaction, one))
      : undefined
  const replied = enrollments.filter((one) => one.id === run?.enrollment_id || findReaction('reply', one))
  const counts = await markReplied(tx, run, replied, now)
  const left = replied.filter((one) => isLiveEnrollment(one) && cadenceOf(one).exit_on.reply)
  const met = enrollments.filter(
    (one) => !left.includes(one) && cadenceOf(one).exit_on.meeting && findReaction('meeting', one),
  )
  const exits = [
    await exitLiveEnrollments(tx, idsOf(left), 'replied', now),
    await exitLiveEnrollments(tx, idsOf(met), 'meeting_booked', now),
  ]
  await addCounts(tx, [...counts, ...exits.flatMap((exit) => exit.counts)])
  for (const one of replied) {
    const replyId = (findReaction('reply', one) ?? reactions[0]!).id
    await notifySender(tx, cadenceOf(one), one, { replyId, loggedBy })
  }
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

async function addAddresses(tx: TenantTx, reactions: readonly Reaction[]): Promise<Reaction[]> {
  const persons = await listOutreachPersons(tx, {
    leadIds: reactions.flatMap(({ leadId }) => leadId ?? []),
    contactIds: reactions.flatMap(({ contactId }) => contactId ?? []),
  })
  const addressesOf = ({ leadId, contactId }: Reaction) =>
    [leadId, contactId].flatMap((id) => persons.get(id ?? '')?.email?.toLowerCase() ?? [])
  return reactions.map((reaction) => ({
    ...reaction,
    emailKeys: [...reaction.emailKeys, ...addressesOf(reaction)],
  }))
}

/** Returns the counts that the caller adds at the end of the transaction. */
async function markReplied(tx: TenantTx, run: RunRow | undefined, enrollments: readonly EnrollmentRow[], now: Date) {
  if (run) await lockRuns(tx, [run.id])
  const isFirstOfRun = run !== undefined && (await markRunReplied(tx, run.id, now))
  const first = await markEnrollmentsReplied(tx, idsOf(enrollments), now)
  return [
    ...(isFirstOfRun ? countStep(run, 'replied') : []),
    ...first.map(({ cadence_id }) => ({ cadence_id, step_id: cadence_id, measure: 'persons_replied' as const, by: 1 })),
  ]
}

/** Notifies each sender once per reply, unless the sender logged it. */
async function notifySender(
  tx: TenantTx,
  cadence: CadenceRow,
  enrollment: EnrollmentRow,
  { replyId, loggedBy }: { replyId: string; loggedBy: string | null },
): Promise<void> {
  const { sender_id, lead_id, contact_id } = enrollment
  const persons = await listOutreachPersons(tx, {
    leadIds: lead_id ? [lead_id] : [],
    contactIds: contact_id ? [contact_id] : [],
  })
  const person = persons.get(personIdOf(enrollment))
  const [record_type, record_id] = [lead_id ? 'lead' : 'contact', personIdOf(enrollment)]
  const name = person?.name ?? person?.email ?? 'A person'
  const payload = { cadence_id: cadence.id, cadence_name: cadence.name, person: name, record_type, record_id }
  const resource = { type: record_type, id: record_id }
  const recipients = await listRecipients(tx, [sender_id, cadence.owner_id])
  for (const userId of recipients.filter((id) => id !== loggedBy))
    await notify(tx, userId, personReplied, payload, { dedupeKey: `cadence.replied:${replyId}`, resource })
}
