import { findLeadCards, logActivity, sampleLeadKeys } from '#modules/crm'
import type { UserActor } from '#platform/access'
import { dayInTimezone } from '#platform/calendar'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { IntegrityRun, RecordReference, SampleData, SampleRecord, SampleStep } from '#platform/module'
import { addCounts } from '../cadences/cadence-records/add-counts.queries.ts'
import { listSteps } from '../cadences/cadence-records/steps.queries.ts'
import { createCadence } from '../cadences/cadences/create-cadence.service.ts'
import { countSample, type PlannedEnrollment, type PlannedRun, planEnrollments } from './cadence-plan.rules.ts'
import {
  deleteSampleCadences,
  insertSampleEnrollments,
  insertSampleRuns,
  type SampleRunRow,
  updateSampleCadence,
} from './cadence-sample.queries.ts'
import { type SampleCadence, sampleCadences } from './sample-cadences.ts'

type Context = { tx: TenantTx; actor: UserActor; idOf(key: string): string; now: Date }

/** Cadences as if they had run for some weeks. The rows are written directly, so that no email is sent. */
export const cadenceSample: SampleData = {
  name: 'cadences',
  plan({ now, scale }) {
    const leadKeys = sampleLeadKeys(scale)
    return sampleCadences.flatMap((cadence, at): SampleStep[] => [
      {
        author: cadence.owner,
        run: (tx, actor, idOf) => createSampleCadence({ tx, actor, idOf, now }, cadence),
      },
      {
        author: cadence.owner,
        run: (tx, actor, idOf) => enrollSampleLeads({ tx, actor, idOf, now }, cadence, leadsOf(leadKeys, at)),
      },
    ])
  },
  async remove({ inTenant }: IntegrityRun, records: readonly RecordReference[]) {
    const ids = records.filter(({ resource_type }) => resource_type === 'cadence').map(({ id }) => id)
    const deleted = new Set(await inTenant((tx) => deleteSampleCadences(tx, ids)))
    return ids.filter((id) => !deleted.has(id)).map((id) => ({ resource_type: 'cadence', id }))
  },
}

/** Every cadence has its own part of the leads, so that no lead is in two of them. */
const leadsOf = (keys: readonly string[], at: number): string[] =>
  keys.filter((_, index) => index % sampleCadences.length === at)

async function createSampleCadence(
  { tx, actor, idOf, now }: Context,
  { key, owner, status, days, name, description, steps }: SampleCadence,
): Promise<SampleRecord[]> {
  const at = daysLater(now, -days - 1)
  const defaults = { delay_hours: 0, business_days: true, reply_in_thread: false }
  const input = { name, description, owner_id: idOf(owner), steps: steps.map((step) => ({ ...defaults, ...step })) }
  const { id } = await createCadence(tx, actor, input, { clock: { now: () => at } })
  await updateSampleCadence(tx, id, { status, at })
  return [{ key, resource_type: 'cadence', id }]
}

/** A transaction of its own, because activities lock leads, which come before cadences in the lock order. */
async function enrollSampleLeads(
  context: Context,
  cadence: SampleCadence,
  leadKeys: readonly string[],
): Promise<SampleRecord[]> {
  const { tx, idOf, now } = context
  const id = idOf(cadence.key)
  const steps = await listSteps(tx, [id])
  const cards = await findLeadCards(tx, leadKeys.map(idOf))
  const leads = leadKeys.flatMap((key) => {
    const card = cards.get(idOf(key))
    return card?.email ? [{ id: card.id, email: card.email, status: card.status }] : []
  })
  const enrollments = planEnrollments(cadence, steps, { leads, used: new Set(), now })
  const activities = await insertEnrollments(context, id, enrollments)
  await addCounts(tx, countSample(id, enrollments))
  return activities.map((activityId, index) => ({
    key: `${cadence.key}:activity:${index + 1}`,
    resource_type: 'activity',
    id: activityId,
  }))
}

async function insertEnrollments(
  context: Context,
  cadenceId: string,
  planned: readonly PlannedEnrollment[],
): Promise<string[]> {
  const { tx, actor, idOf } = context
  const activities: string[] = []
  const runs: SampleRunRow[] = []
  const rows = []
  for (const { lead, sender, enrollment, ...one } of planned) {
    const id = newId()
    const done = one.runs.filter(({ state }) => state === 'done')
    const replied = done.find(({ replied_at }) => replied_at)
    rows.push({
      id,
      cadence_id: cadenceId,
      lead_id: lead.id,
      person_email_key: lead.email.toLowerCase(),
      sender_id: idOf(sender),
      status: enrollment.state,
      exit_reason: enrollment.state === 'exited' ? enrollment.reason : null,
      paused_reason: enrollment.state === 'paused' ? enrollment.reason : null,
      paused_until: one.paused_until,
      current_step_id: one.current_step_id,
      next_run_at: one.runs.find(({ state }) => state === 'waiting')?.run_at ?? null,
      enrolled_by: actor.userId,
      enrolled_via: 'sample',
      enrolled_at: one.enrolled_at,
      last_step_at: done.at(-1)?.done_at ?? null,
      ended_at: one.ended_at,
      first_delivered_at: done.find(({ type, bounced_at }) => type === 'email_auto' && !bounced_at)?.done_at ?? null,
      replied_at: replied?.replied_at ?? null,
    })
    for (const run of one.runs) {
      const activityId = await logSampleActivity(context, lead.id, sender, run)
      if (activityId) activities.push(activityId)
      runs.push(toRunRow(run, { cadenceId, enrollmentId: id, sender: idOf(sender), activityId, now: context.now }))
    }
  }
  await insertSampleEnrollments(tx, rows)
  await insertSampleRuns(tx, runs)
  return activities
}

type RunContext = { cadenceId: string; enrollmentId: string; sender: string; activityId: string | null; now: Date }

function toRunRow(run: PlannedRun, { cadenceId, enrollmentId, sender, activityId, now }: RunContext): SampleRunRow {
  const { type, step_id, state, run_at, done_at, replied_at, bounced_at } = run
  const isOpenTask = state === 'claimed'
  return {
    id: newId(),
    enrollment_id: enrollmentId,
    cadence_id: cadenceId,
    step_id,
    state,
    run_at,
    claimed_at: state === 'waiting' ? null : run_at,
    done_at,
    reserved_on: type === 'email_auto' && done_at ? dayInTimezone(done_at, 'UTC') : null,
    activity_id: isOpenTask ? activityId : null,
    task_user_id: isOpenTask ? sender : null,
    skip_at: isOpenTask ? daysLater(now, 5) : null,
    replied_at,
    bounced_at,
  }
}

/** Logs the open task of a seller, a reply or a bounce. */
async function logSampleActivity(
  { tx, actor, idOf, now }: Context,
  leadId: string,
  sender: string,
  { type, state, run_at, replied_at, bounced_at }: PlannedRun,
): Promise<string | null> {
  const at = replied_at ?? bounced_at ?? run_at
  const log = async (activity: Parameters<typeof logActivity>[3]) => {
    const services = { clock: { now: () => at } }
    return (await logActivity(tx, actor, { kind: 'lead', id: leadId }, { source: 'cadence', ...activity }, services)).id
  }
  if (replied_at) return await log({ type: 'email_replied', subject: 'Re: Your question about our platform' })
  if (bounced_at) return await log({ type: 'email_bounced', subject: 'The address does not exist' })
  if (state !== 'claimed') return null
  return await log({
    type: 'task',
    subject: type === 'call' ? 'Call the lead' : 'Write to the lead',
    assignee_id: idOf(sender),
    due_at: daysLater(now, 1).toISOString(),
  })
}
