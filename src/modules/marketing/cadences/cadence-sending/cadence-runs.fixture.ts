import { systemActor } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { type startTestApp, waitForValue } from '#testing'
import { lockCadenceShared } from '../cadence-records/cadences.queries.ts'
import { lockEnrollments } from '../cadence-records/enrollments.queries.ts'
import { planRuns } from '../cadence-runs/plan-runs.service.ts'
import { runCadences } from './run-cadences.jobs.ts'

type TestApp = Awaited<ReturnType<typeof startTestApp>>
type Workspace = Awaited<ReturnType<TestApp['tenant']>>

type StepInput = {
  type?: string
  delay_days?: number
  delay_hours?: number
  business_days?: boolean
  subject_template?: string
  body_template?: string
  reply_in_thread?: boolean
  instructions?: string
  auto_skip_after_days?: number | null
}

const always = { days: [1, 2, 3, 4, 5, 6, 7], start: '00:00', end: '24:00' }
const exits = { reply: true, meeting: true, bounce: true }

/** Creates cadences and enrollments as rows, and runs what is due. */
export function cadenceActions(app: TestApp, acme: Workspace) {
  const inAcme = <T>(work: (tx: TenantTx) => Promise<T>) => inTenant(app.db, systemActor(acme.id), work)
  const rowsOf = async (statement: string, values: unknown[] = []) =>
    (await acme.sql(statement, [acme.id, ...values])).rows

  async function createCadence(steps: StepInput[], settings: { window?: object; exit_on?: object } = {}) {
    const id = newId()
    await acme.sql(
      `insert into marketing.cadences (tenant_id, id, name, status, run_window, exit_on, search_text, owner_id)
       values ($1, $2, $3, 'active', $4, $5, '', $6)`,
      [
        acme.id,
        id,
        `Cadence ${id}`,
        JSON.stringify(settings.window ?? always),
        JSON.stringify({ ...exits, ...settings.exit_on }),
        acme.member.userId,
      ],
    )
    const stepIds = steps.map(() => newId())
    for (const [index, step] of steps.entries()) {
      const row = {
        type: 'email_auto',
        delay_days: 0,
        delay_hours: 0,
        business_days: false,
        subject_template: `Step ${index + 1}`,
        body_template: 'Hello {{ first_name | there }}',
        reply_in_thread: false,
        instructions: null,
        auto_skip_after_days: 5,
        ...step,
      }
      await acme.sql(
        `insert into marketing.cadence_steps (tenant_id, id, cadence_id, position, type, delay_days, delay_hours, business_days,
           subject_template, body_template, reply_in_thread, instructions, auto_skip_after_days)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
        [acme.id, stepIds[index], id, index + 1, row.type, row.delay_days, row.delay_hours, row.business_days]
          .concat([row.subject_template, row.body_template] as never)
          .concat([row.reply_in_thread, row.instructions, row.auto_skip_after_days] as never),
      )
    }
    return { id, stepIds }
  }

  async function createLead(input: object = {}) {
    const { body } = await acme.member.post('/api/leads/', { last_name: 'Moss', ...input })
    return body as { id: string; email: string; status: string }
  }

  /** Enrolls leads by their ids and plans their first step. */
  async function enroll(
    cadence: { id: string },
    leads: readonly { id: string; email?: string }[],
    senderId = acme.member.userId,
  ) {
    const ids = leads.map(() => newId())
    await acme.sql(
      `insert into marketing.cadence_enrollments (tenant_id, id, cadence_id, lead_id, person_email_key, sender_id, enrolled_via, enrolled_at)
       select $1, id, $2, lead_id, email, $3, 'manual', $4
       from unnest($5::uuid[], $6::uuid[], $7::text[]) as enrolled (id, lead_id, email)`,
      [
        acme.id,
        cadence.id,
        senderId,
        app.clock.now(),
        ids,
        leads.map(({ id }) => id),
        leads.map(({ email }) => email?.toLowerCase() ?? null),
      ],
    )
    await inAcme(async (tx) => {
      const row = await lockCadenceShared(tx, cadence.id)
      await planRuns(tx, { cadence: row, enrollments: await lockEnrollments(tx, ids), now: app.clock.now() })
    })
    return ids
  }

  /** Does what the schedule does for the workspace. */
  const runDue = () =>
    runCadences(app.services, { inTenant: (work) => inAcme(work), signal: new AbortController().signal })

  /** Reports an event of an email, as the mail server of the workspace does. */
  const reportEmail = (event: object) =>
    acme.admin.post('/api/leads/email-events', {
      external_id: newId(),
      received_at: app.clock.now().toISOString(),
      ...event,
    })

  const findEnrollment = async (id: string) =>
    (await rowsOf('select * from marketing.cadence_enrollments where tenant_id = $1 and id = $2', [id]))[0]
  const listRunsOf = (enrollmentId: string) =>
    rowsOf(
      `select run.*, step.position from marketing.cadence_step_runs run
       join marketing.cadence_steps step on step.tenant_id = run.tenant_id and step.id = run.step_id
       where run.tenant_id = $1 and run.enrollment_id = $2 order by step.position`,
      [enrollmentId],
    )
  const countsOf = async ({ id }: { id: string }) =>
    Object.fromEntries(
      (
        await rowsOf(
          'select measure, value from marketing.cadence_counts where tenant_id = $1 and cadence_id = $2 and step_id = $2 and value <> 0',
          [id],
        )
      ).map(({ measure, value }) => [measure, value]),
    )

  return {
    inAcme,
    rowsOf,
    createCadence,
    createLead,
    enroll,
    runDue,
    reportEmail,
    findEnrollment,
    listRunsOf,
    countsOf,
    waitForEnrollment: (id: string, status: string) =>
      waitForValue(
        () => findEnrollment(id),
        (row) => row.status === status,
      ),
    /** Waits until the run of a step has a state. */
    waitForRun: (enrollmentId: string, position: number, state: string) =>
      waitForValue(
        async () => (await listRunsOf(enrollmentId)).find((run) => run.position === position),
        (run) => run?.state === state,
      ),
    /** Moves what was planned and done into the past, because tokens would expire if the clock moved. */
    async advance(seconds: number) {
      const earlier = (column: string) => `${column} = ${column} - make_interval(secs => $2)`
      const shift = (table: string, columns: string[]) =>
        acme.sql(`update ${table} set ${columns.map(earlier).join(', ')} where tenant_id = $1`, [acme.id, seconds])
      await shift('marketing.cadence_step_runs', ['run_at', 'claimed_at', 'done_at', 'skip_at'])
      await shift('marketing.cadence_enrollments', ['next_run_at', 'last_step_at', 'paused_until', 'enrolled_at'])
      await acme.sql(
        `update marketing.cadence_step_runs set reserved_on = reserved_on - $2::integer where tenant_id = $1`,
        [acme.id, Math.floor(seconds / 86_400)],
      )
      // Two steps, because rows of two days must not have the same day in between.
      for (const table of ['marketing.cadence_send_counts', 'crm.email_send_counters'])
        for (const days of [Math.floor(seconds / 86_400) + 100_000, -100_000])
          await acme.sql(`update ${table} set day = day - $2::integer where tenant_id = $1`, [acme.id, days])
    },
    setSending: (sending: object) =>
      acme.manager.put('/api/leads/settings', {
        sending: { from_address: 'sales@acme.example', postal_address: '1 Main Street', ...sending },
      }),
  }
}
