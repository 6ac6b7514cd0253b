import { setTimeout as sleep } from 'node:timers/promises'
import { cadenceActions } from '../../src/modules/marketing/cadences/cadence-sending/cadence-runs.fixture.ts'
import {
  type Acme,
  cadencesUrl,
  emailStep,
  newActiveCadence,
  newContact,
  newLead,
} from '../../src/modules/marketing/cadences/cadences/cadences.fixture.ts'
import { type Race, runConcurrently } from './race.ts'

const enrollIn = (acme: Acme, cadenceId: string, persons: object) => () =>
  acme.member.post(`${cadencesUrl}${cadenceId}/enrollments`, persons)

const outcomeOf = ({ body }: { body: { results: { outcome: string; code: string | null }[] } }) =>
  body.results[0]!.code ?? body.results[0]!.outcome

/** A person is enrolled once in a cadence, and in one cadence at a time, also as a lead and a contact. */
export const enrollmentsOfOnePerson: Race = {
  name: 'crm-5-3 two enrollments of one person',
  async prepare(app) {
    const acme = await app.tenant()
    const [first, second] = [await newActiveCadence(acme), await newActiveCadence(acme)]
    let runs = 0
    return async () => {
      const run = ++runs
      const email = `person${run}@race.example`
      const [lead, contact] = [await newLead(acme, { email }), await newContact(acme, { email })]
      const asContact = run % 2 === 0
      const other = run % 4 < 2 ? first : second

      const results = await runConcurrently(
        enrollIn(acme, first.id, { lead_ids: [lead] }),
        enrollIn(acme, other.id, asContact ? { contact_ids: [contact] } : { lead_ids: [lead] }),
      )

      const { rows } = await acme.sql(
        `select count(*)::int as live, count(run.id)::int as runs from marketing.cadence_enrollments enrollment
         left join marketing.cadence_step_runs run on run.enrollment_id = enrollment.id
         where enrollment.tenant_id = $1 and person_email_key = $2 and enrollment.status = 'active'`,
        [acme.id, email],
      )
      const outcomes = results.map(outcomeOf)
      const skipped = other.id === first.id ? 'already_enrolled' : 'in_other_cadence'
      const isOnce = rows[0].live === 1 && rows[0].runs === 1 && outcomes.includes(skipped)
      if (!isOnce) return { violation: JSON.stringify({ ...rows[0], outcomes }) }
      return { outcome: outcomes[0] === 'enrolled' ? 'first' : 'second' }
    }
  },
}

/** An archived cadence has no live enrollments. */
export const archiveAgainstEnroll: Race = {
  name: 'crm-5 archive against enroll',
  weight: 2,
  async prepare(app) {
    const acme = await app.tenant()
    return async () => {
      const { id } = await newActiveCadence(acme)
      const lead_ids = [await newLead(acme), await newLead(acme)]

      const [enrolled, archived] = await runConcurrently(enrollIn(acme, id, { lead_ids }), () =>
        acme.manager.patch(`${cadencesUrl}${id}`, { status: 'archived' }),
      )

      const { rows } = await acme.sql(
        `select count(*) filter (where status = 'active')::int as live, count(*) filter (where status = 'exited')::int as exited,
           (select coalesce(sum(value) filter (where measure = 'enrolled') - sum(value) filter (where measure = 'exited'), 0)::int
            from marketing.cadence_counts where cadence_id = $1) as counted
         from marketing.cadence_enrollments where cadence_id = $1`,
        [id],
      )
      const { live, exited, counted } = rows[0]
      if (archived.status !== 200 || live !== 0 || counted !== 0)
        return { violation: JSON.stringify({ ...rows[0], enrolled: enrolled.body, archived: archived.status }) }
      return { outcome: exited ? 'enrolled first' : 'archived first' }
    }
  },
}

/** Enrollments never wait for a removed step. */
export const stepsAgainstEnroll: Race = {
  name: 'crm-5-12 steps replaced against enroll',
  weight: 2,
  async prepare(app) {
    const acme = await app.tenant()
    return async () => {
      const { id, steps } = await newActiveCadence(acme)
      const lead_ids = [await newLead(acme), await newLead(acme)]

      const [enrolled, replaced] = await runConcurrently(enrollIn(acme, id, { lead_ids }), () =>
        acme.member.put(`${cadencesUrl}${id}/steps`, { steps: [emailStep(), { id: steps[1].id, type: 'call' }] }),
      )

      const { rows } = await acme.sql(
        `select run.state, step.deleted_at is not null as is_removed, run.step_id = enrollment.current_step_id as is_current
         from marketing.cadence_enrollments enrollment
         join marketing.cadence_step_runs run on run.enrollment_id = enrollment.id
         join marketing.cadence_steps step on step.id = run.step_id
         where enrollment.cadence_id = $1 and enrollment.status = 'active'`,
        [id],
      )
      const waiting = rows.filter(({ state }) => state === 'waiting')
      const isRight = waiting.length === 2 && waiting.every(({ is_removed, is_current }) => is_current && !is_removed)
      if (!isRight || replaced.status !== 200)
        return { violation: JSON.stringify({ rows, enrolled: enrolled.body, replaced: replaced.status }) }
      return { outcome: rows.length > 2 ? 'enrolled first' : 'replaced first' }
    }
  },
}

/** The schedule reads other work before the due steps. */
const maxDelayMs = 40

/** A removed step is skipped or executed, never both. */
export const stepsAgainstRun: Race = {
  name: 'crm-5-12 steps replaced against run',
  weight: 2,
  async prepare(app) {
    const acme = await app.tenant()
    const { createCadence, createLead, enroll, runDue, rowsOf, setSending } = cadenceActions(app, acme)
    await setSending({})
    let runs = 0
    return async () => {
      const cadence = await createCadence([{}, { type: 'call' }])
      const [enrollmentId] = await enroll(cadence, [await createLead({ email: `run${++runs}@race.example` })])

      const [replaced] = await runConcurrently(async () => {
        await sleep(Math.random() * maxDelayMs)
        return await acme.member.put(`${cadencesUrl}${cadence.id}/steps`, {
          steps: [{ id: cadence.stepIds[1], type: 'call' }],
        })
      }, runDue)

      const rows = await rowsOf(
        `select run.step_id, run.state, email.id is not null as has_email, run.step_id = enrollment.current_step_id as is_current
         from marketing.cadence_step_runs run
         join marketing.cadence_enrollments enrollment on enrollment.id = run.enrollment_id
         left join crm.email_messages email on email.id = run.id
         where run.tenant_id = $1 and run.enrollment_id = $2`,
        [enrollmentId],
      )
      const email = rows.find(({ step_id }) => step_id === cadence.stepIds[0])
      const call = rows.find(({ step_id }) => step_id === cadence.stepIds[1])
      const isSent = email.state === 'claimed' && email.has_email && email.is_current && !call
      const isSkipped = email.state === 'skipped' && !email.has_email && call?.is_current
      if (replaced.status !== 200 || isSent === isSkipped)
        return { violation: JSON.stringify({ rows, replaced: replaced.body }) }
      return { outcome: isSent ? 'run first' : 'replaced first' }
    }
  },
}
