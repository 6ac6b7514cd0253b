import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestResponse, waitForBlockedSessions } from '#testing'
import { createScenario } from '../coaching/coaching.fixture.ts'
import { createPrompt, practiceUrl } from '../pitches/pitches.fixture.ts'

const { tenant, owner } = await startTestApp()

/** Deletes a row while the request that refers to it waits for the deletion. */
async function deleteDuring(table: string, id: string, send: () => Promise<TestResponse>): Promise<TestResponse> {
  const client = await owner.connect()
  try {
    await client.query('begin')
    await client.query(`delete from ${table} where id = $1`, [id])
    const request = send()
    await waitForBlockedSessions(owner, 1, [request])
    await client.query('commit')
    return await request
  } finally {
    client.release()
  }
}

test('a scenario or prompt that is deleted at the same time is unknown', async () => {
  const acme = await tenant()
  const { member, manager } = acme
  const [first, second, prompt] = [await createScenario(acme), await createScenario(acme), await createPrompt(acme)]
  const scenarios = 'enablement.coaching_scenarios'

  const roleplay = await deleteDuring(scenarios, first.id, () => member.post(`${first.url}/roleplay/start`))
  const session = await deleteDuring(scenarios, second.id, () =>
    manager.post(`${second.url}/sessions`, { rep_id: member.userId }),
  )
  const practice = await deleteDuring('enablement.pitch_prompts', prompt.id, () =>
    member.post(practiceUrl, { prompt_id: prompt.id }),
  )

  assert.deepEqual([roleplay.status, session.status, practice.status], [404, 404, 422])
})
