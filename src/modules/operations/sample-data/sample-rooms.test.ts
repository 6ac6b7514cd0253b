import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { daysLater } from '#platform/clock'
import { storageKey } from '#platform/storage'
import { openSampleWorkspace } from './sample-workspace.fixture.ts'

const { acme, now, idOf, services, owner, client } = await openSampleWorkspace()
const read = async (path: string) => (await acme.admin.get(`/api/enablement/${path}`)).body

test('content has real files: documents with their pages, a diagram, a video and a text', async () => {
  const { rows } = await owner.query(
    `select file.id, file.filename from enablement.content_versions version join platform.files file on file.id = version.file_id
     where version.tenant_id = $1 order by file.filename`,
    [acme.id],
  )
  const files = await Promise.all(
    rows.map(async ({ id, filename }) => {
      const bytes = await buffer((await services.storage.get(storageKey(acme.id, 'files', id))).stream)
      return [filename, bytes.toString('latin1', 0, 8).replace(/[^\w%-]/g, '.'), pagesOf(bytes)]
    }),
  )

  assert.deepEqual(files, [
    ['Architecture.png', '.PNG....', 0],
    ['Contract draft.pdf', '%PDF-1.4', 6],
    ['Customer story.pdf', '%PDF-1.4', 4],
    ['Demo.mp4', '....ftyp', 0],
    ['Onboarding plan.md', '..Onboar', 0],
    ['Proposal.pdf', '%PDF-1.4', 10],
    ['Security paper.pdf', '%PDF-1.4', 9],
  ])
})

const pagesOf = (bytes: Buffer) => bytes.toString('latin1').split('/Type /Page ').length - 1

test('eight deals have a room; one is hot, and the scores are those that a recompute gives', async () => {
  const { items: rooms } = await read('rooms/?limit=50&sort=-engagement_score')
  const dealRooms = rooms.filter(({ opportunity_id }: { opportunity_id: string | null }) => opportunity_id)
  const analytics = await Promise.all(dealRooms.map(({ id }: { id: string }) => read(`rooms/${id}/analytics?days=365`)))

  assert.equal(new Set(dealRooms.map(({ account_id }: { account_id: string }) => account_id)).size, 8)
  assert.equal(
    analytics.reduce((sum, { totals }) => sum + totals.visits, 0),
    300,
  )
  assert.deepEqual(
    dealRooms.map(({ engagement_score }: { engagement_score: number }) => engagement_score),
    analytics.map(({ score }) => score.value),
  )
  const bands = dealRooms.map(({ engagement_band }: { engagement_band: string }) => engagement_band)
  assert.deepEqual(bands, ['hot', 'warm', 'warm', 'warm', 'cool', 'cool', 'cold', 'cold'])
  assert.ok(analytics.some(({ plan }) => plan.progress_rate === 1))
  const { rows } = await owner.query(
    `select min(started_at) >= $2 and max(ended_at) <= $3 as in_period, count(distinct device)::int as devices,
       (select count(*)::int from enablement.content_views where tenant_id = $1 and source = 'room' and page_seconds is not null
         and active_seconds <> (select sum(value::int) from jsonb_each_text(page_seconds))) as wrong_pages
     from enablement.room_visits where tenant_id = $1 and identity is not null`,
    [acme.id, daysLater(now, -65), now],
  )
  assert.deepEqual(rows, [{ in_period: true, devices: 3, wrong_pages: 0 }])
})

test('the room of the user who loads the data has an offer, a plan with both sides and a link without a gate', async () => {
  const room = await read(`rooms/${idOf('room:1')}`)
  const { text, status } = await client({ host: acme.host }).get(new URL(room.share.url).pathname)
  const gated = await read(`rooms/${idOf('room:2')}`)
  const { body: gate } = await client({ host: acme.host }).get(
    `/api/enablement/rooms/public/${gated.share.share_token}`,
  )

  assert.deepEqual([room.name, room.owner_id], ['Group contract for Falconridge Capital', acme.admin.userId])
  assert.deepEqual(
    room.sections.map(({ title }: { title: string }) => title),
    ['Offer', 'Security and IT', 'What others say'],
  )
  const { steps } = room.plan
  assert.deepEqual([steps.length, room.plan.progress_rate], [8, 0.625])
  assert.deepEqual(
    steps.map(({ due_on }: { due_on: string }) => due_on),
    steps.map(({ due_on }: { due_on: string }) => due_on).toSorted(),
  )
  assert.equal(new Set(steps.map(({ side }: { side: string }) => side)).size, 2)
  assert.ok(new Date(room.share.expires_at) > daysLater(now, 20))
  assert.deepEqual([status, text.includes(room.name)], [200, true])
  assert.deepEqual([gate.access, gate.requires], ['gated', ['email']])
})

test('buyers read the proposal to different pages, and longest the page with prices', async () => {
  const { page_dropoff, influenced } = await read(`content/${idOf('content:18')}/analytics?days=365`)
  const rates = page_dropoff.map(({ reach_rate }: { reach_rate: number }) => reach_rate)
  const seconds = page_dropoff.map(({ average_seconds }: { average_seconds: number }) => average_seconds)

  assert.equal(page_dropoff.length, 10)
  assert.deepEqual(
    rates,
    rates.toSorted((one: number, other: number) => other - one),
  )
  assert.equal(seconds.indexOf(Math.max(...seconds)), 5)
  assert.equal(influenced.open, 3)
})
