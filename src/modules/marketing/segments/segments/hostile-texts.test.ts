// Texts that are code in another language, in every text input of segments.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { hostileMarker as marker, hostileTexts as texts } from '../../../../../tests/hostile/texts.ts'
import { addTestTarget, newTarget } from '../continuous-enrollment/enroll-target.fixture.ts'

const { tenant, services } = await startTestApp({}, { prepare: addTestTarget })
const sent = new Set<string>()
services.db.pool.on('acquire', (client) => {
  const { query } = client as unknown as { query: (...input: unknown[]) => unknown }
  if (Object.hasOwn(client, 'isRecorded')) return
  Object.assign(client, {
    isRecorded: true,
    query(...input: unknown[]) {
      sent.add((input[0] as { text?: string })?.text ?? String(input[0]))
      return query.apply(client, input)
    },
  })
})
const acme = await tenant()
const chunksOf = <T>(items: readonly T[], size: number): T[][] =>
  items.length ? [items.slice(0, size) as T[], ...chunksOf(items.slice(size), size)] : []
const preview = (rules: object) => acme.member.post('/api/segments/preview', { object_type: 'lead', rules })

test('there are at least 200 texts', () => {
  assert.ok(texts.length >= 200, `${texts.length}`)
})

test('names, descriptions and searches are stored and found as they are', async () => {
  for (const text of texts) {
    const segment = {
      object_type: 'lead',
      name: text,
      description: text,
      rules: { field: 'title', op: 'eq', value: text },
    }
    const created = await acme.member.post('/api/segments', segment)
    const found = await acme.viewer.get(`/api/segments?limit=200&search=${encodeURIComponent(text)}`)

    assert.deepEqual([created.status, found.status], [201, 200], text)
    assert.deepEqual([created.body.name, created.body.description, created.body.rules.value], [text, text, text])
    assert.equal(created.headers['content-type'], 'application/json; charset=utf-8')
    assert.ok(found.body.items.some(({ name }: { name: string }) => name === text) || !found.body.items.length, text)
  }
})

test('values of rules match only what they say', async () => {
  await acme.member.post('/api/leads/', { last_name: 'Moss', title: 'Head of sales' })
  for (const op of ['eq', 'contains', 'starts_with'])
    for (const chunk of chunksOf(texts, 45)) {
      const { status, body } = await preview({ any: chunk.map((value) => ({ field: 'title', op, value })) })
      assert.deepEqual([status, body.count], [200, 0])
    }
  for (const [op, field] of [
    ['in', 'title'],
    ['has_any_word', 'title'],
    ['contains_any', 'tags'],
  ])
    for (const value of chunksOf(texts, 100)) {
      const { status, body } = await preview({ field, op, value: value.map((text) => text.slice(0, 50).trim()) })
      assert.ok(status === 422 || body.count === 0, `${status} ${op}`)
    }
})

test('names of fields, operators, facts and parameters are rejected', async () => {
  for (const chunk of chunksOf(texts, 20)) {
    const nodes = chunk.flatMap((text) => [
      { field: text, op: 'eq', value: 1 },
      { field: 'score', op: text, value: 1 },
    ])
    const facts = chunk.slice(0, 10).map((text) => ({ fact: text, [text]: text }))
    const ids = chunk.slice(0, 10).map((text) => ({ fact: 'segment', segment_id: text }))

    for (const rules of [{ any: nodes }, { any: facts }, { any: ids }]) assert.equal((await preview(rules)).status, 422)
  }
})

test('targets, options and cursors are rejected or passed on as they are', async () => {
  const { body } = await acme.member.post('/api/segments', { object_type: 'lead', name: 'Nothing', kind: 'static' })
  const url = `/api/segments/${body.id}`
  for (const text of texts.slice(0, 40)) {
    const status = await acme.member.post(`${url}/enroll`, { ...newTarget(), member_status: text })
    const type = await acme.member.post(`${url}/enroll`, { ...newTarget(), target_type: text })
    const cursor = await acme.member.get(`${url}/members?cursor=${encodeURIComponent(text)}`)

    assert.deepEqual([status.status, type.status, cursor.status], [200, 422, 422], text)
  }
})

test('no text became a part of a statement', () => {
  assert.ok(sent.size > 20)
  assert.deepEqual(
    [...sent].filter((text) => text.includes(marker)),
    [],
  )
})
