import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysLater } from '#platform/clock'
import { newId } from '#platform/ids'
import { waitForTask } from '#testing'
import { startSendingApp } from '../../sending/distributions/distributions.fixture.ts'

const app = await startSendingApp()
const { acme, tenant, clock, createSurvey, invite, createLink, respond, respondByLink } = app
const globex = await tenant()

async function exportOf({ url }: { url: string }) {
  const started = await acme.member.post(`${url}/export`)
  assert.equal(started.status, 202, started.text)
  const task = await waitForTask(acme, started.body)
  assert.equal(task.state, 'succeeded', JSON.stringify(task))
  return task.result as { download_url: string; rows: number }
}

async function linesOf({ download_url }: { download_url: string }): Promise<string[]> {
  const { status, text, headers } = await acme.member.get(download_url)
  assert.equal(status, 200)
  assert.match(headers['content-type'], /^text\/csv/)
  assert.match(headers['content-disposition'], /^attachment/)
  return text.replace('\uFEFF', '').trimEnd().split('\r\n')
}

test('responses are exported as CSV without formulas', async () => {
  const survey = await createSurvey()
  const { body: lead } = await acme.member.post('/api/leads/', { last_name: 'Csv', email: 'csv@export.example' })
  const { token } = await invite(survey.id, { email: 'csv@export.example', lead_id: lead.id })
  await respond(token, { score: 9, reason: '=1+1, "quoted"' })
  await respondByLink(await createLink(survey), { score: 2 })

  const result = await exportOf(survey)

  assert.equal(result.rows, 2)
  const [header, first, second] = await linesOf(result)
  assert.equal(
    header,
    'response_id,submitted_at,duration_seconds,channel,language,score,sentiment,email,name,contact_id,lead_id,account_id,score,reason',
  )
  assert.match(first!, new RegExp(`,email,en,9,positive,csv@export.example,,,${lead.id},,9,"'=1\\+1, ""quoted"""$`))
  assert.match(second!, /,link,en,2,negative,,,,,,2,$/)
})

test('the file of an anonymous survey has no answers before its end, and no day, language and person', async () => {
  const survey = await createSurvey({ anonymous: true, partial_save: false, min_group_size: 5 })
  const { token } = await invite(survey.id, { email: 'secret@export.example' })
  await respond(token, { score: 7, reason: 'Mine' })
  const hidden = await exportOf(survey)
  const link = await createLink(survey)
  for (let n = 0; n < 11; n++) await respondByLink(link, { score: 8 })
  const some = await exportOf(survey)
  await acme.member.patch(survey.url, { status: 'closed' })

  const all = await exportOf(survey)

  assert.deepEqual([hidden.rows, some.rows, all.rows], [0, 0, 11])
  assert.deepEqual(await linesOf(hidden), ['score,reason'])
  const lines = await linesOf(all)
  assert.deepEqual(lines.slice(1), Array(11).fill('8,'))
})

test('an export belongs to its workspace and ends after a day', async () => {
  const survey = await createSurvey()
  const { download_url } = await exportOf(survey)

  assert.equal((await globex.admin.get(download_url)).status, 404)
  assert.equal((await acme.viewer.post(`${survey.url}/export`)).status, 403)
  assert.equal((await globex.admin.post(`${survey.url}/export`)).status, 404)
  assert.equal((await acme.member.get(download_url.replace(/exports\/[^/]+/, `exports/${newId()}`))).status, 404)
  const { rows } = await acme.sql(
    'select delete_after from platform.files where purpose = $1 and tenant_id = $2 order by id desc limit 1',
    ['survey_export', acme.id],
  )
  assert.ok(rows[0].delete_after > clock.now() && rows[0].delete_after <= daysLater(clock.now(), 1))
  await acme.sql(`update surveys.exports set expires_at = now() - interval '1 second' where tenant_id = $1`, [acme.id])
  const expired = await acme.member.get(download_url)
  assert.deepEqual([expired.status, expired.body.code], [410, 'link_expired'])
})
