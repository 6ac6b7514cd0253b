import assert from 'node:assert/strict'
import { waitForTask, waitForValue } from '#testing'
import { startSurveysApp } from '../../surveys.fixture.ts'

/** Returns the token of the link in the text of an email. */
export const linkIn = (text: string): string => text.match(/\/s\/([\w-]+)\n/)![1]!

/** Starts an application with a worker and functions that send surveys of the workspace. */
export async function startSendingApp() {
  const app = await startSurveysApp()
  const { acme } = app
  await app.startTestWorker()

  const rowsOf = async (statement: string, values: unknown[]) => (await acme.sql(statement, values)).rows

  /** Sends a survey and waits until its recipients are invited. */
  async function distribute(survey: { url: string }, input: object, by = acme.member) {
    const response = await by.post(`${survey.url}/distribute`, input)
    assert.equal(response.status, 202, response.text)
    const task = await waitForTask(acme, response.body)
    return { ...response.body, task } as { distribution_id: string; task: { state: string; result: object } }
  }

  const listDistributions = async ({ url }: { url: string }) =>
    (await acme.member.get(`${url}/distributions`)).body.items

  const invitationsOf = (distributionId: string) =>
    rowsOf(
      `select id, email, status, failure_reason, sent_at, reminders_sent, language, segment_ids, contact_id, lead_id
       from surveys.invitations where tenant_id = $1 and distribution_id = $2 order by email`,
      [acme.id, distributionId],
    )

  return {
    ...app,
    rowsOf,
    distribute,
    listDistributions,
    invitationsOf,
    waitForInvitations: (distributionId: string, status: string) =>
      waitForValue(
        () => invitationsOf(distributionId),
        (rows) => rows.length > 0 && rows.every((row) => row.status === status),
      ),
    /** Starts the next reminder of a distribution. */
    async startNextReminder(distributionId: string) {
      await app.owner.query(
        `update pgboss.job_common set start_after = now() where id = (
           select id from pgboss.job_common where state = 'created' and start_after > now() and data::text like $1
           order by start_after limit 1)`,
        [`%${distributionId}%`],
      )
    },
    /** Starts jobs and emails that wait for a later time. */
    async startWaiting() {
      await app.owner.query(
        `update crm.email_messages set run_at = now() - interval '1 minute' where tenant_id = $1 and state = 'waiting'`,
        [acme.id],
      )
      await app.owner.query(
        `update pgboss.job_common set start_after = now() where group_id = $1 and state = 'created'`,
        [acme.id],
      )
    },
  }
}
