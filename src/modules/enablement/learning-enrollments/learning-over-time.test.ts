// What learners have achieved, while content, paths, certificates and the users themselves change.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { complete, createPath, enroll, moduleOf, publishVideo, readContent } from '../learning.fixture.ts'

const app = await startTestApp()
const { tenant, clock } = app
clock.freeze()

test('a video is completed by playing it, in one or several views, and not by reporting its end', async () => {
  const acme = await tenant()
  const { member } = acme
  const film = await publishVideo(acme, 100)
  const path = await createPath(acme, { modules: [{ kind: 'video', content_item_id: film }] })
  const video = path.modules[0]!
  const enrollment = await enroll(member, path)

  await readContent(member, clock, film, { seconds: 5, progress: 1 })
  const jumped = await complete(member, enrollment, video)
  await readContent(member, clock, film, { seconds: 30, progress: 0.6 })
  clock.advance(31 * 60)
  const later = { ...member, ...(await acme.signIn(member.userId)) }
  await readContent(later, clock, film, { seconds: 20, progress: 1 })
  const watched = await complete(later, enrollment, video)

  const { code, needed, seen, needed_progress, seen_progress } = jumped.body
  assert.deepEqual([jumped.status, code], [409, 'minimum_not_met'])
  assert.deepEqual(
    { needed, seen, needed_progress, seen_progress },
    { needed: 50, seen: 5, needed_progress: 0.9, seen_progress: 0.1 },
  )
  assert.deepEqual([watched.status, watched.body.status], [200, 'completed'])
  assert.equal(moduleOf(watched.body, video).seen_progress, 1)
})

test('a new version of a video begins a new view, needs its own duration, and leaves completed modules alone', async () => {
  const acme = await tenant()
  const { member, manager } = acme
  const film = await publishVideo(acme, 1_000)
  const path = await createPath(acme, { modules: [{ kind: 'video', content_item_id: film }] })
  const video = path.modules[0]!
  const [done, open] = [await enroll(member, path), await enroll(manager, path)]
  await readContent(member, clock, film, { seconds: 500, progress: 1 })
  assert.equal((await complete(member, done, video)).body.status, 'completed')
  await readContent(manager, clock, film, { seconds: 15, progress: 0.03 })

  await publishVideo(acme, 40, film)
  const { body: before } = await manager.get(open.url)
  await readContent(manager, clock, film, { seconds: 20, progress: 1 })
  const watched = await complete(manager, open, video)
  const fixed = await manager.patch(video.url, { min_seconds: 0 })
  const cleared = await manager.patch(video.url, { min_seconds: null })

  const shown = moduleOf(before, video)
  assert.deepEqual([shown.min_seconds, shown.seen_seconds, shown.seen_progress], [20, 15, 0.03])
  assert.deepEqual([watched.status, watched.body.status], [200, 'completed'])
  assert.deepEqual([fixed.body.min_seconds, cleared.body.min_seconds], [0, 20])
  assert.equal((await member.get(done.url)).body.status, 'completed')
})
