import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startCommunityApp, threadsUrl } from '../community.fixture.ts'

const { acme, tenant, createRoom, createThread, createReply, notified } = await startCommunityApp()
const { member, manager, viewer } = acme
const room = await createRoom()
const mention = ({ userId }: { userId: string }, label = '@you') => `[${label}](mention:${userId})`

test('engagement-2-7 a text cannot contain scripts, foreign schemes or images', async () => {
  const body = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '[x](data:text/html,alert)',
    '![t](https://e.example/x.png)',
  ].join('\n\n')

  const { body_html } = await createThread(room.id, { body })
  const postRepeated = async (part: string) => {
    const before = process.cpuUsage()
    const response = await member.post(threadsUrl, {
      room_id: room.id,
      title: 'Long',
      body: part.repeat(10_000 / part.length),
    })
    return { ...response, cpu: process.cpuUsage(before).user }
  }
  const ordinary = [await postRepeated('Some text.'), await postRepeated('More text.')]
  const nested = [await postRepeated('>'), await postRepeated('>')]

  assert.doesNotMatch(body_html, /<(script|img)|<[^>]*\son\w+=/i)
  const urls = [...body_html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url]) => url)
  assert.deepEqual(urls, ['https://e.example/x.png'])
  for (const { status } of ordinary) assert.equal(status, 201)
  for (const { status, body } of nested) assert.deepEqual([status, body.errors[0].path], [422, '/body'])
  const [usual, deep] = [Math.max(...ordinary.map(({ cpu }) => cpu)), Math.min(...nested.map(({ cpu }) => cpu))]
  assert.ok(deep < 5 * usual, `${deep} µs of CPU time instead of ${usual} µs`)
})

test('engagement-2-8 only active users of the workspace are mentioned, at most ten, each once', async () => {
  const [foreigner, inactive, active] = [
    (await tenant()).member,
    await acme.person('member'),
    await acme.person('member'),
  ]
  await acme.sql(`update identity.users set status = 'deactivated' where id = $1`, [inactive.userId])
  const body = `${mention(foreigner, '@Foreign')} ${mention(inactive, '@Gone')} ${mention(active)} ${mention(active)}`

  const thread = await createThread(room.id, { body })
  const tooMany = await member.post(threadsUrl, {
    room_id: room.id,
    title: 'Many',
    body: Array.from({ length: 11 }, () => mention({ userId: newId() })).join(' '),
  })

  const link = `<a href="mention:${active.userId}" rel="nofollow ugc noopener">@${active.name}</a>`
  assert.equal(thread.body_html, `<p>@Foreign @Gone ${link} ${link}</p>\n`)
  assert.deepEqual(thread.mentions, [{ user_id: active.userId, name: active.name }])
  assert.deepEqual(await notified(active.userId), ['thread.mentioned'])
  for (const { userId } of [foreigner, inactive]) {
    const { rows } = await acme.sql('select 1 from platform.notifications where user_id = $1', [userId])
    assert.deepEqual(rows, [])
  }
  assert.deepEqual([tooMany.status, tooMany.body.errors[0].code], [422, 'too_many_mentions'])
})

test('users who cannot read the room, and authors of their own post, are not notified', async () => {
  const draft = await createRoom({ status: 'draft' })
  const [reader, moderator] = [await acme.person('member'), await acme.person('manager')]

  const thread = await createThread(
    draft.id,
    { body: `${mention(reader)} ${mention(moderator)} ${mention(manager)}` },
    manager,
  )

  assert.equal(thread.mentions.length, 3)
  assert.deepEqual(await notified(reader.userId), [])
  assert.deepEqual(await notified(moderator.userId), ['thread.mentioned'])
  assert.deepEqual(await notified(manager.userId), [])
})

test('the list of threads that mention the caller leaves out mentions in hidden and deleted replies', async () => {
  const [inThread, inReply, inHidden, inDeleted] = [
    await createThread(room.id, { body: mention(viewer) }),
    await createThread(room.id),
    await createThread(room.id),
    await createThread(room.id),
  ]
  await createReply(inReply, { body: `Ask ${mention(viewer)}` })
  const hidden = await createReply(inHidden, { body: `Hide ${mention(viewer)}` })
  const deleted = await createReply(inDeleted, { body: `Delete ${mention(viewer)}` })
  await acme.sql('update community.replies set hidden_at = now() where id = $1', [hidden.id])
  await member.delete(deleted.url)

  const { body } = await viewer.get(`${threadsUrl}?mentioned=true`)
  const { body: ofOther } = await acme.admin.get(`${threadsUrl}?mentioned=true`)

  const ids = body.items.map(({ id }: { id: string }) => id)
  assert.deepEqual(new Set(ids), new Set([inThread.id, inReply.id]))
  assert.deepEqual(ofOther.items, [])
})

test('an erased user is a former member, also where others mention the user', async () => {
  const former = await acme.person('member', { name: 'Ann Lee' })
  const thread = await createThread(room.id, {}, former)
  const reply = await createReply(thread, { body: `Thanks ${mention(former)}` })
  await acme.sql(`update identity.users set status = 'erased', name = 'Former user' where id = $1`, [former.userId])

  const read = (await viewer.get(thread.url)).body
  const { items } = (await viewer.get(`${thread.url}/replies`)).body

  assert.equal(read.author.name, 'Former member')
  assert.match(reply.body_html, /@Ann Lee/)
  assert.match(items[0].body_html, />@Former member</)
  assert.equal(items[0].mentions[0].name, 'Former member')
})

test('edits of a post notify up to 20 users', async () => {
  const users: { userId: string }[] = []
  for (let n = 0; n < 25; n++) users.push(await acme.person('member'))
  const textOf = (from: number) =>
    users
      .slice(from, from + 8)
      .map((user) => mention(user))
      .join(' ')
  const room = await createRoom()
  const posts = [
    await createThread(room.id, { body: `First ${textOf(0)}` }),
    await createReply(await createThread(room.id), { body: `First ${textOf(0)}` }),
  ]

  for (const { url } of posts)
    for (const from of [8, 16, 17, 0])
      assert.equal((await member.patch(url, { body: `From ${from} ${textOf(from)}` })).status, 200)

  const counts = await Promise.all(users.map(async ({ userId }) => (await notified(userId)).length))
  assert.deepEqual(counts.slice(0, 16), Array(16).fill(2))
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    2 * 20,
  )
})
