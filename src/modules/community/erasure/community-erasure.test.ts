import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitUntil } from '#testing'
import { startCommunityApp } from '../community.fixture.ts'

const { acme, createRoom, createThread, createReply, startTestWorker } = await startCommunityApp()
const { member, viewer } = acme

test('an erased user is a former member, and the name disappears from the texts that mention the user', async () => {
  await startTestWorker()
  const room = await createRoom()
  const user = await acme.person('member', { name: 'Zephyrine Quackenbush' })
  const mention = `[@Zephyrine Quackenbush](mention:${user.userId})`
  const [own, thread] = [
    await createThread(room.id, {}, user),
    await createThread(room.id, { body: `Ask ${mention} and [@you](mention:${member.userId})` }),
  ]
  const reply = await createReply(thread, { body: `**Thanks** ${mention}` })
  const [edited, answered] = [
    await createThread(room.id, { body: `${'x'.repeat(9_990)} ${mention}` }),
    await createReply(own),
  ]
  for (const [url, body] of [
    [edited.url, 'Ask the team'],
    [answered.url, `Once more ${mention}`],
    [answered.url, 'Nothing'],
  ])
    assert.equal((await member.patch(url!, { body })).status, 200)
  await user.post(`${thread.url}/report`, { reason: 'other', note: 'Zephyrine was here' })
  const find = async () => {
    const { rows } = await acme.sql(
      `select 1 from community.threads t where t::text ilike '%zephyrine%' union all
       select 1 from community.replies r where r::text ilike '%zephyrine%' union all
       select 1 from community.post_words w where w::text ilike '%zephyrine%' union all
       select 1 from community.reports r where r::text ilike '%zephyrine%' union all
       select 1 from platform.audit_log where resource_type in ('thread', 'reply') and changes::text ilike '%zephyrine%' union all
       select 1 from community.mentions where user_id = $1`,
      [user.userId],
    )
    return rows.length
  }
  const before = await find()

  await acme.admin.patch(`/api/users/${user.userId}`, { status: 'deactivated' })
  const late = await createThread(room.id, { body: `Where is ${mention}?` })
  const named = (await viewer.get(own.url)).body.author.name
  assert.equal((await acme.admin.delete(`/api/users/${user.userId}`)).status, 204)
  await waitUntil(async () => (await find()) === 0)

  assert.equal(before, 9)
  assert.equal((await viewer.get(late.url)).body.body, 'Where is @Former member?')
  assert.equal(named, 'Zephyrine Quackenbush')
  assert.deepEqual((await viewer.get(own.url)).body.author, { id: user.userId, name: 'Former member' })
  const { body, body_html, excerpt, mentions } = (await viewer.get(thread.url)).body
  assert.equal(body, `Ask @Former member and [@you](mention:${member.userId})`)
  assert.match(body_html, /^<p>Ask @Former member and <a href="mention:/)
  assert.match(excerpt, /^Ask @Former member/)
  assert.deepEqual(mentions, [{ user_id: member.userId, name: member.name }])
  const [shown] = (await viewer.get(`${thread.url}/replies`)).body.items
  assert.deepEqual([shown.id, shown.body], [reply.id, '**Thanks** @Former member'])
})
