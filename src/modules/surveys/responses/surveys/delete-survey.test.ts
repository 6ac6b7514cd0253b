import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSurveysApp } from '../../surveys.fixture.ts'

const { acme, createSurvey, createLink, respondByLink } = await startSurveysApp()
const { member } = acme

test('an update needs the current version, and one without changes is not recorded', async () => {
  const survey = await createSurvey({ status: 'draft' })

  const same = await member.patch(survey.url, { min_group_size: 5 }, { 'if-match': '"1"' })
  const changed = await member.patch(survey.url, { email: { from_name: member.name } }, { 'if-match': '"1"' })
  const outdated = await member.patch(survey.url, { name: 'B' }, { 'if-match': '"1"' })

  assert.deepEqual([same.body.version, changed.body.version, outdated.status], [1, 2, 412])
  assert.equal((await member.delete(survey.url, { 'if-match': '"1"' })).status, 412)
  assert.equal((await member.delete(survey.url, { 'if-match': '"2"' })).status, 204)
})

test('a survey without invitations and responses is removed, another one keeps its results for 30 days', async () => {
  const [unused, used, active] = [await createSurvey({ status: 'closed' }), await createSurvey(), await createSurvey()]
  const link = await createLink(used)
  assert.equal((await respondByLink(link, { score: 3 })).status, 201)
  await member.patch(used.url, { status: 'closed' })

  assert.equal((await member.delete(active.url)).body.code, 'survey_active')
  for (const survey of [unused, used]) assert.equal((await member.delete(survey.url)).status, 204)

  assert.deepEqual([(await member.get(used.url)).status, (await member.delete(used.url)).status], [404, 404])
  const count = async (table: string) =>
    (await acme.sql(`select count(*)::int as n from surveys.${table} where id = any($1)`, [[unused.id, used.id]]))
      .rows[0].n
  assert.equal(await count('surveys'), 1)
  const response = await respondByLink(link, { score: 3 })
  assert.deepEqual([response.status, response.body.code, response.body.reason], [410, 'link_expired', 'deleted'])
})
