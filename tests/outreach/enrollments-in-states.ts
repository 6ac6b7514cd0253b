import assert from 'node:assert/strict'
import type { TestUser } from '#testing'
import type { Background, Workspace } from './background.ts'

export type StatesWorkspace = Workspace & { sender: TestUser; absentSender: TestUser }
export type Enrolled = { lead: { id: string }; cadenceId: string; url: string; runId: string }

const steps = (lacksValue: boolean) =>
  ['Hello', lacksValue ? 'About {{ company }}' : 'Hello again'].map((body_template, index) => ({
    type: 'email_auto',
    delay_days: 0,
    delay_hours: index,
    business_days: false,
    subject_template: `Step ${index + 1}`,
    body_template,
  }))
const window = { days: [1, 2, 3, 4, 5, 6, 7], start: '00:00', end: '24:00' }

/**
 * Enrolls four leads whose first step is sent: one is active, one paused by a user, one paused because its sender is not active, and one
 * removed.
 */
export async function prepareEnrollments(acme: StatesWorkspace, { sendDue, settle }: Background, lacksValue: boolean) {
  const request = async (method: 'post' | 'patch', url: string, body: object) => {
    const response = await acme.manager[method](url, body)
    assert.ok(response.status < 300, response.text)
    return response.body
  }
  const setAbsent = async (status: string) => {
    const response = await acme.admin.patch(`/api/users/${acme.absentSender.userId}`, { status })
    assert.equal(response.status, 200, response.text)
    await settle()
  }
  await setAbsent('active')
  const input = { steps: steps(lacksValue), window, owner_id: acme.manager.userId }
  const cadence = await request('post', '/api/cadences/', { name: crypto.randomUUID(), ...input })
  await request('patch', `/api/cadences/${cadence.id}`, { status: 'active' })
  const leads: { id: string }[] = []
  for (let n = 0; n < 4; n++)
    leads.push(
      await request('post', '/api/leads/', { last_name: 'Moss', email: `${crypto.randomUUID()}@state.example` }),
    )
  const enroll = (ids: string[], sender: TestUser) =>
    request('post', `/api/cadences/${cadence.id}/enrollments`, { lead_ids: ids, sender_id: sender.userId })
  await enroll([leads[0]!.id, leads[1]!.id, leads[3]!.id], acme.sender)
  await enroll([leads[2]!.id], acme.absentSender)
  await sendDue()

  const { rows } = await acme.sql(
    `select enrollment.lead_id, enrollment.id, run.id as run_id from marketing.cadence_enrollments enrollment
     join marketing.cadence_step_runs run on run.tenant_id = $1 and run.enrollment_id = enrollment.id and run.state = 'done'
     where enrollment.tenant_id = $1 and enrollment.cadence_id = $2`,
    [acme.id, cadence.id],
  )
  const enrolled = leads.map((lead): Enrolled => {
    const { id, run_id } = rows.find(({ lead_id }) => lead_id === lead.id)!
    return { lead, cadenceId: cadence.id, url: `/api/cadences/${cadence.id}/enrollments/${id}`, runId: run_id }
  })
  await request('patch', enrolled[1]!.url, { status: 'paused' })
  await request('patch', enrolled[3]!.url, { status: 'exited' })
  await setAbsent('deactivated')
  const ids = rows.map(({ id }) => id)

  /** States in the order in which the leads were prepared. */
  async function listStates(): Promise<string[]> {
    const { rows: current } = await acme.sql(
      `select id, status, coalesce(paused_reason, exit_reason) as reason from marketing.cadence_enrollments
       where tenant_id = $1 and id = any ($2::uuid[])`,
      [acme.id, ids],
    )
    return enrolled.map(({ url }) => {
      const { status, reason } = current.find(({ id }) => url.endsWith(id))!
      return reason ? `${status}: ${reason}` : status
    })
  }
  return { enrolled, listStates }
}
