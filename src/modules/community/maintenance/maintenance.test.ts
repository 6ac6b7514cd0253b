import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import { runTenantSchedule } from '#testing'
import { startCommunityApp, threadsUrl } from '../community.fixture.ts'
import { communityChecks } from '../integrity/community.checks.ts'
import { purgePostsSchedule, reconcileSchedule, renderPostsSchedule } from './maintenance.jobs.ts'

const app = await startCommunityApp()
const { acme, services, createRoom, createThread, createReply } = app
const { member, manager } = acme
const room = await createRoom()
const read = async (url: string) => (await manager.get(url)).body

test('engagement-2-14 a wrong counter is repaired by the nightly job, which logs an error', async () => {
  const [wrong, right] = [await createThread(room.id, { kind: 'question' }), await createThread(room.id)]
  const replies = [await createReply(wrong), await createReply(wrong)]
  await createReply(right)
  await member.put(`${wrong.url}/answer`, { reply_id: replies[0].id })
  const [expected, untouched] = [await read(wrong.url), await read(right.url)]
  const errors: object[] = []
  const reconcile = () => runTenantSchedule(app, reconcileSchedule(services), (fields) => errors.push(fields))
  await reconcile()
  assert.deepEqual(errors, [])
  await acme.sql(
    `update community.threads set reply_count = 7, last_reply_id = null, last_reply_at = null, last_activity_at = now() - interval '1 year'
     where id = $1`,
    [wrong.id],
  )

  await reconcile()
  const repaired = await read(wrong.url)
  const loggedOnce = [...errors]
  await reconcile()

  const countersOf = ({
    reply_count,
    last_reply_at,
    last_activity_at,
    accepted_reply_id,
    version,
  }: typeof repaired) => ({
    reply_count,
    last_reply_at,
    last_activity_at,
    accepted_reply_id,
    version,
  })
  assert.deepEqual(countersOf(repaired), countersOf(expected))
  assert.deepEqual(loggedOnce, [{ thread_id: wrong.id, reply_count: 7, counted: 2 }])
  assert.deepEqual(errors, loggedOnce)
  assert.deepEqual((await read(right.url)).updated_at, untouched.updated_at)
})

test('texts and mentions of deleted posts are purged after 30 days, and numbers are not used again', async () => {
  const [thread, deleted] = [await createThread(room.id), await createThread(room.id)]
  const [kept, gone, inDeleted] = [
    await createReply(thread),
    await createReply(thread, { body: `Bye [@you](mention:${manager.userId}) xylophone` }),
    await createReply(deleted, { body: 'Also xylophone' }),
  ]
  await member.post(`${thread.url}/report`, { reason: 'spam', reply_id: gone.id })
  await manager.delete(gone.url)
  await manager.delete(deleted.url)
  const purge = () => runTenantSchedule(app, purgePostsSchedule(services))

  const moveDeletion = async (days: number) => {
    for (const table of ['threads', 'replies'])
      await acme.sql(
        `update community.${table} set deleted_at = deleted_at - $2 * interval '1 day' where tenant_id = $1 and deleted_at is not null`,
        [acme.id, days],
      )
  }
  await moveDeletion(29)
  await purge()
  const beforePurge = await acme.sql('select body from community.replies where id = $1', [gone.id])
  await moveDeletion(2)
  const search = async () => (await manager.get(`${threadsUrl}?search=xylophone&include_deleted=true`)).body.total
  const foundBefore = await search()
  await purge()
  const foundAfter = await search()
  const listed = (await manager.get(`${thread.url}/replies?include_deleted=true`)).body.items
  const next = await createReply(thread)

  assert.notEqual(beforePurge.rows[0].body, '')
  const { rows } = await acme.sql(
    `select body, body_html, body_text from community.replies where id = any ($1) union all
     select title || body || excerpt, body_html, body_text from community.threads where id = $2`,
    [[gone.id, inDeleted.id], deleted.id],
  )
  assert.deepEqual(rows, Array(3).fill({ body: '', body_html: '', body_text: '' }))
  for (const table of ['mentions', 'post_words'])
    assert.deepEqual(
      (
        await acme.sql(`select 1 from community.${table} where post_id = any ($1)`, [
          [gone.id, inDeleted.id, deleted.id],
        ])
      ).rows,
      [],
    )
  assert.deepEqual([foundBefore, foundAfter], [2, 0])
  assert.deepEqual(
    listed.map(({ id }: { id: string }) => id),
    [kept.id],
  )
  assert.equal(next.reply_no, 3)
  assert.deepEqual(
    [(await manager.post(`${gone.url}/restore`)).status, (await manager.post(`${deleted.url}/restore`)).status],
    [404, 404],
  )
  assert.equal((await read(thread.url)).reply_count, 2)
})

test('posts of an older renderer are rendered again without a new version', async () => {
  const thread = await createThread(room.id, { body: `**Bold** [@you](mention:${manager.userId})` })
  const reply = await createReply(thread, { body: '*Italic*' })
  for (const table of ['threads', 'replies'])
    await acme.sql(
      `update community.${table} set body_html = '<p>old</p>', renderer_version = 0 where tenant_id = $1 and purged_at is null`,
      [acme.id],
    )

  await runTenantSchedule(app, renderPostsSchedule)

  const { body_html, version } = await read(thread.url)
  assert.deepEqual([body_html, version], [thread.body_html, thread.version])
  const [shown] = (await read(`${thread.url}/replies`)).items
  assert.deepEqual([shown.body_html, shown.version], [reply.body_html, reply.version])
  const { rows } = await acme.sql(
    'select 1 from community.replies where tenant_id = $1 and renderer_version = 0 and purged_at is null',
    [acme.id],
  )
  assert.deepEqual(rows, [])
})

test('the integrity check finds a wrong counter and an accepted answer that is not visible, and repairs them', async () => {
  const [miscounted, answered] = [await createThread(room.id), await createThread(room.id, { kind: 'question' })]
  const reply = await createReply(answered)
  await manager.delete(reply.url)
  await acme.sql('update community.threads set reply_count = 1 where id = $1', [miscounted.id])
  await acme.sql('update community.threads set accepted_reply_id = $2 where id = $1', [answered.id, reply.id])
  const check = services.registry
    .integrityChecksOf(services)
    .find(({ hint, code }) => code === 'counter_drift' && hint)!
  const [drift] = communityChecks
  const run = {
    tenantId: acme.id,
    signal: new AbortController().signal,
    inTenant: <T>(work: (tx: TenantTx) => Promise<T>) => inTenant(app.db, systemActor(acme.id), work),
  }

  const found = await drift!.find(run, 10)
  const repaired = await drift!.repair!(run, found)

  assert.deepEqual([check.title, check.hint], [drift!.title, drift!.hint])
  const expected = [miscounted, answered].map(({ id }) => ({ resource_type: 'thread', id }))
  assert.deepEqual(
    found.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    expected,
  )
  assert.deepEqual([repaired, await drift!.find(run, 10)], [2, []])
  assert.deepEqual([(await read(miscounted.url)).reply_count, (await read(answered.url)).accepted_reply_id], [0, null])
})
