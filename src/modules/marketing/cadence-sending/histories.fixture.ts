import { newId } from '#platform/ids'
import { createRandom } from '#platform/module'
import type { startTestApp } from '#testing'
import { addCounts } from '../cadence-records/add-counts.queries.ts'
import { cadenceActions } from './cadence-runs.fixture.ts'
import { dispatchQueued } from './dispatch.fixture.ts'

type TestApp = Awaited<ReturnType<typeof startTestApp>>
type Workspace = Awaited<ReturnType<TestApp['tenant']>>
type Lead = { id: string; email: string; enrollmentId: string }
type Merge = { id: string; survivor: string; merged: string }

const day = 86_400

/** Changes persons and enrollments at random between the runs of a cadence, and keeps a model of who must not be reached. */
export async function runHistory(app: TestApp, acme: Workspace, seed: number, steps: number) {
  const { pick, chance, integer } = createRandom(seed)
  const actions = cadenceActions(app, acme)
  const cadence = await actions.createCadence([{}, { delay_days: 1 }, { delay_days: 1 }, { delay_days: 1 }])
  const leads: Lead[] = []
  for (let n = 0; n < 6; n++) {
    const email = `p${n}-${seed}@history.example`
    const { id } = await actions.createLead({ email })
    const [enrollmentId] = await actions.enroll(cadence, [{ id, email }])
    leads.push({ id, email, enrollmentId: enrollmentId! })
  }
  const enrolled = { cadence_id: cadence.id, step_id: cadence.id, measure: 'enrolled', by: leads.length }
  await actions.inAcme((tx) => addCounts(tx, [enrolled]))

  /** The model: addresses without permission, leads that are gone, and enrollments that are paused or have ended. */
  const model = {
    optedOut: new Set<string>(),
    gone: new Set<string>(),
    merges: [] as Merge[],
    paused: new Set<string>(),
    ended: new Set<string>(),
  }
  const sent: { runId: string; enrollmentId: string; step: string; address: string }[] = []
  const violations: string[] = []
  const log: string[] = []

  const isThere = ({ id }: Lead) => !model.gone.has(id)
  const ok = ({ status }: { status: number }) => status < 300

  const changes: Record<string, () => Promise<string | undefined>> = {
    async optOut() {
      const lead = pick(leads)
      const consent = { email_status: 'unsubscribed', basis: 'none', source: 'letter' }
      if (!isThere(lead) || !ok(await acme.member.put(`/api/leads/${lead.id}/consent`, consent))) return
      model.optedOut.add(lead.email)
      return lead.email
    },
    async convert() {
      const lead = pick(leads)
      if (!isThere(lead) || !ok(await acme.member.post(`/api/leads/${lead.id}/convert`, {}))) return
      model.gone.add(lead.id)
      return lead.email
    },
    async remove() {
      const lead = pick(leads)
      if (!isThere(lead) || !ok(await acme.manager.delete(`/api/leads/${lead.id}`))) return
      model.gone.add(lead.id)
      return lead.email
    },
    async merge() {
      const [survivor, merged] = [pick(leads), pick(leads)]
      if (survivor === merged || !isThere(survivor) || !isThere(merged)) return
      const request = { duplicate_ids: [merged.id] }
      const response = await acme.manager.post(`/api/leads/${survivor.id}/merge`, request)
      if (!ok(response)) return
      model.gone.add(merged.id)
      model.merges.push({ id: response.body.merge_id, survivor: survivor.id, merged: merged.id })
      if (model.optedOut.has(merged.email)) model.optedOut.add(survivor.email)
      return `${merged.email} into ${survivor.email}`
    },
    async undoMerge() {
      const merge = model.merges.pop()
      if (!merge || !ok(await acme.manager.post(`/api/leads/merges/${merge.id}/undo`))) return
      model.gone.delete(merge.merged)
      return merge.merged
    },
    async pause() {
      const { enrollmentId } = pick(leads)
      if (!ok(await patch(enrollmentId, 'paused'))) return
      model.paused.add(enrollmentId)
      return enrollmentId
    },
    async resume() {
      const { enrollmentId } = pick(leads)
      if (!ok(await patch(enrollmentId, 'active'))) return
      model.paused.delete(enrollmentId)
      return enrollmentId
    },
    async reply() {
      const email = sent.length ? pick(sent) : undefined
      if (!email) return
      const in_reply_to = `<${email.runId}@${app.config.APP_DOMAIN}>`
      const event = { kind: 'reply', in_reply_to, external_id: newId(), received_at: app.clock.now().toISOString() }
      if (!ok(await acme.admin.post('/api/leads/email-events', event))) return
      model.ended.add(email.enrollmentId)
      return email.enrollmentId
    },
  }
  const patch = (id: string, status: string) =>
    acme.manager.patch(`/api/cadences/${cadence.id}/enrollments/${id}`, { status })

  async function send(): Promise<void> {
    for (const { id, address } of await dispatchQueued(app, actions)) await checkSent(id, address)
  }

  async function checkSent(runId: string, address: string): Promise<void> {
    const [run] = await actions.rowsOf(
      `select run.enrollment_id, run.step_id, enrollment.lead_id from marketing.cadence_step_runs run
       join marketing.cadence_enrollments enrollment on enrollment.id = run.enrollment_id
       where run.tenant_id = $1 and run.id = $2`,
      [runId],
    )
    const problems = [
      ...(model.optedOut.has(address) ? ['to a person who has opted out'] : []),
      ...(model.gone.has(run.lead_id) ? ['to a lead that is converted, deleted or merged'] : []),
      ...(model.paused.has(run.enrollment_id) ? ['of a paused enrollment'] : []),
      ...(model.ended.has(run.enrollment_id) ? ['after a reply'] : []),
      ...(sent.some(({ enrollmentId, step }) => enrollmentId === run.enrollment_id && step === run.step_id)
        ? ['a second time']
        : []),
    ]
    violations.push(...problems.map((problem) => `An email to ${address} was sent ${problem}.`))
    sent.push({ runId, enrollmentId: run.enrollment_id, step: run.step_id, address })
  }

  for (let step = 0; step < steps; step++) {
    if (chance(0.5)) {
      const name = pick(Object.keys(changes))
      const changed = await changes[name]!()
      if (changed) log.push(`${name} ${changed}`)
    } else {
      await actions.advance(integer(0, 1) * day + 1)
      await actions.runDue()
      if (chance(0.8)) await send()
      log.push(`run: ${sent.length} sent`)
    }
  }
  const { rows: live } = await acme.sql(
    `select lead_id from marketing.cadence_enrollments where tenant_id = $1 and cadence_id = $2 and status in ('active', 'paused')`,
    [acme.id, cadence.id],
  )
  const gone = live.filter(({ lead_id }) => model.gone.has(lead_id))
  if (gone.length) violations.push(`${gone.length} enrollments of converted, deleted or merged leads are live.`)
  return { violations, log, sent: sent.length }
}
