// Requests that are made to be expensive. Each must be rejected quickly, with a short response.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'

const { app, tenant } = await startTestApp()
const acme = await tenant()
const { body: lead } = await acme.member.post('/api/leads/', { last_name: 'Moss' })

const maxEventLoopMs = 50
const maxLargeBodyMs = 250
const maxResponseBytes = 65_536
const repetitions = 3

/** `maxMs` is higher for routes that accept larger bodies. */
type Attack = { target: string; body?: string; status: number; token?: string | null; maxMs?: number }

const repeat = (count: number, textOf: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => textOf(n)).join()
const list = (count: number, textOf: (n: number) => string) => `[${repeat(count, textOf)}]`
const object = (count: number, textOf: (n: number) => string) => `{${repeat(count, textOf)}}`
const activityWithMeta = (meta: string) => `{"type":"note","meta":${meta}}`
const activities = `POST /api/leads/${lead.id}/activities`
const wrongRules = JSON.stringify({
  grade_thresholds: { a: 70, b: 40 },
  weights: { fit: 0.6, engagement: 0.4 },
  fit: {
    rules: Array.from({ length: 100 }, (_, n) => ({
      key: `k${n}`,
      label: 'x',
      group: 'person',
      points: 1,
      when: { all: Array.from({ length: 40 }, () => ({ field: 'x'.repeat(80), op: 'y' })) },
    })),
    group_caps: {},
  },
  engagement: { half_life_days: 30, window_days: 90, rules: [], group_caps: {} },
  auto_mql: { enabled: true, min_score: 60 },
})

const attacks: Record<string, Attack> = {
  '110,000 unknown keys at the sign-in': {
    target: 'POST /api/auth/login',
    token: null,
    body: object(110_000, (n) => `"k${n}":0`),
    status: 413,
  },
  '1,500 unknown keys at the sign-in': {
    target: 'POST /api/auth/login',
    token: null,
    body: object(1_500, (n) => `"k${n}":0`),
    status: 422,
  },
  '90,000 unknown keys in a lead': {
    target: 'POST /api/leads/',
    body: object(90_000, (n) => `"${n.toString(36)}":0`),
    status: 413,
  },
  '33,000 different integers as scopes': {
    target: 'POST /api/api-keys',
    body: `{"name":"x","scopes":${list(33_000, (n) => `${n + 100_000}`)}}`,
    status: 422,
  },
  '1,900 different integers as scopes': {
    target: 'POST /api/api-keys',
    body: `{"name":"x","scopes":${list(1_900, (n) => `${n}`)}}`,
    status: 422,
  },
  '26,000 invalid ids in a bulk action': {
    target: 'POST /api/leads/bulk',
    body: `{"action":"delete","lead_ids":${list(26_000, () => `"${'x'.repeat(36)}"`)}}`,
    status: 422,
  },
  '9,999 valid ids and an invalid one in a bulk action': {
    target: 'POST /api/leads/bulk',
    body: `{"action":"delete","lead_ids":${list(10_000, (n) => (n < 9_999 ? `"${lead.id}"` : '"x"'))}}`,
    status: 422,
  },
  '475,000 ones in a bulk action': {
    target: 'POST /api/leads/bulk',
    body: `{"action":"delete","lead_ids":${list(475_000, () => '1')}}`,
    status: 413,
  },
  '45,000 zeros as tags': {
    target: 'POST /api/contacts/',
    body: `{"last_name":"x","tags":${list(45_000, () => '0')}}`,
    status: 422,
  },
  '1,900 equal tags': {
    target: 'POST /api/contacts/',
    body: `{"last_name":"x","tags":${list(1_900, () => '"x"')}}`,
    status: 422,
  },
  '40,000 values in custom fields': {
    target: 'POST /api/leads/',
    body: `{"last_name":"x","custom":${object(199, (n) => `"k${n}":${list(200, () => '0')}`)}}`,
    status: 422,
  },
  '1,900 wrong values in custom fields': {
    target: 'POST /api/leads/',
    body: `{"last_name":"x","custom":${object(950, (n) => `"K-${n}":[{}]`)}}`,
    status: 422,
  },
  '49,000 empty arrays in meta': {
    target: activities,
    body: activityWithMeta(`{"x":${list(49_000, () => '[]')}}`),
    status: 422,
  },
  '9,900 keys in meta': {
    target: activities,
    body: activityWithMeta(object(9_900, (n) => `"k${n}":0`)),
    status: 422,
  },
  '11,000 keys in meta': {
    target: activities,
    body: activityWithMeta(object(11_000, (n) => `"k${n}":0`)),
    status: 413,
  },
  '150,000 equal keys': { target: activities, body: object(150_000, () => '"a":0'), status: 413 },
  '500,000 nested arrays': { target: activities, body: '['.repeat(500_000), status: 422 },
  'nested arrays in 20 levels': {
    target: activities,
    body: activityWithMeta(`{"x":${list(900, () => `${'['.repeat(18)}${']'.repeat(18)}`)}}`),
    status: 422,
  },
  'numbers that are too large': {
    target: activities,
    body: activityWithMeta(`{"x":${list(45_000, () => '1e400')}}`),
    status: 422,
  },
  'an integer with a million digits': {
    target: 'POST /api/leads/',
    body: `{"last_name":"x","custom":{"a":${'9'.repeat(1_000_000)}}}`,
    status: 422,
  },
  'a name with a million characters': {
    target: 'POST /api/teams/',
    body: `{"name":"${'x'.repeat(1_000_000)}"}`,
    status: 422,
  },
  'a name of 170,000 escaped characters': {
    target: 'POST /api/teams/',
    body: `{"name":"${'\\u0041'.repeat(170_000)}"}`,
    status: 422,
  },
  'a name with 330,000 characters of three bytes': {
    target: 'POST /api/teams/',
    body: `{"name":"${'試'.repeat(330_000)}"}`,
    status: 422,
  },
  'an email address with 60,000 characters': {
    target: 'POST /api/leads/',
    body: `{"last_name":"x","email":"${'a.'.repeat(15_000)}@${'a-'.repeat(15_000)}"}`,
    status: 422,
  },
  'a key with a million characters': {
    target: 'POST /api/teams/',
    body: `{"name":"x","${'k'.repeat(1_000_000)}":0}`,
    status: 422,
  },
  'a null character below a key with a million characters': {
    target: 'POST /api/teams/',
    body: `{"${'k'.repeat(1_000_000)}":"\\u0000"}`,
    status: 422,
  },
  '600 keys of 100 characters': {
    target: 'POST /api/leads/',
    body: object(600, (n) => `"${n}${'k'.repeat(97)}":0`),
    status: 422,
  },
  '200 keys of control characters': {
    target: 'POST /api/leads/',
    body: object(200, (n) => `"${n}${'\\u0001'.repeat(50)}":0`),
    status: 422,
  },
  '1,900 keys as long as known ones': {
    target: 'POST /api/leads/',
    body: object(1_900, (n) => `"lifecycle_s${1_000 + n}":0`),
    status: 422,
  },
  'a megabyte of whitespace': { target: 'POST /api/teams/', body: ' '.repeat(1_000_000), status: 422 },
  'a megabyte that is not UTF-8': { target: 'POST /api/teams/', body: `"${'\xff'.repeat(1_000_000)}"`, status: 422 },
  '9,000 forbidden keys': {
    target: 'POST /api/teams/',
    body: list(9_000, () => '{"__proto__":0}'),
    status: 422,
  },
  'a rule with 4,000 conditions': {
    target: 'POST /api/leads/bulk',
    body: `{"action":"delete","expected_count":1,"filter":{"any":${list(4_000, () => '{"field":"x","op":"y"}')}}}`,
    status: 422,
  },
  '4,000 wrong conditions in a scoring config': {
    target: 'PUT /api/leads/scoring-config',
    body: wrongRules,
    status: 422,
  },
  '2,500 query parameters': {
    target: `GET /api/leads/?${repeat(2_500, (n) => `k${n}=`).replaceAll(',', '&')}`,
    status: 422,
  },
  '15,000 values of a filter': { target: `GET /api/leads/?status=${','.repeat(15_000)}`, status: 422 },
  'an id of 15,000 characters': { target: `GET /api/leads/${'%31'.repeat(5_000)}`, status: 422 },
  'an id of 15,000 invalid escapes': { target: `GET /api/leads/${'%ff'.repeat(5_000)}`, status: 422 },
  'a cursor of 15,000 characters': { target: `GET /api/leads/?cursor=${'W'.repeat(15_000)}`, status: 422 },
  'a token with 15,000 characters': { target: 'GET /api/leads/', token: 'a.'.repeat(7_500), status: 401 },
}

const usageEvents = (count: number, properties: string) =>
  `{"events":${list(count, (n) => `{"event_id":"e${n}","name":"a","user_ref":"null","occurred_at":"2026-03-01T00:00:00Z","properties":${properties}}`)}}`

Object.assign(attacks, {
  '1,000 events with 100 properties': {
    target: 'POST /api/tenant/plg/events',
    body: usageEvents(
      1_000,
      object(100, (n) => `"k${n}":0`),
    ),
    status: 422,
    maxMs: maxLargeBodyMs,
  },
  '5 MiB of events': {
    target: 'POST /api/tenant/plg/events',
    body: usageEvents(
      1_000,
      object(5, (n) => `"k${n}":"${'x'.repeat(1_000)}"`),
    ).slice(0, 5_242_000),
    status: 422,
    maxMs: maxLargeBodyMs,
  },
  '130,000 properties of one event': {
    target: 'POST /api/tenant/plg/events',
    body: usageEvents(
      1,
      object(130_000, (n) => `"k${n}":0`),
    ),
    status: 413,
  },
} satisfies Record<string, Attack>)

async function send({ target, body, token = acme.admin.accessToken }: Attack) {
  const [method, url] = target.split(' ') as ['GET' | 'POST' | 'PUT', string]
  const start = process.threadCpuUsage()
  const response = await app.inject({
    method,
    url,
    headers: {
      host: acme.host,
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    payload: body === undefined ? undefined : Buffer.from(body, body.includes('\xff') ? 'latin1' : 'utf8'),
  })
  const { user, system } = process.threadCpuUsage(start)
  return { response, milliseconds: (user + system) / 1_000 }
}

for (const [name, attack] of Object.entries(attacks))
  test(`${name}: rejected in less than ${attack.maxMs ?? maxEventLoopMs} ms with a short response`, async (t) => {
    // Validators are compiled on first use, and code is optimized while it runs.
    await send(attack)
    const results: Awaited<ReturnType<typeof send>>[] = []
    for (let n = 0; n < repetitions; n++) results.push(await send(attack))

    const { response } = results.at(-1)!
    const milliseconds = Math.min(...results.map((result) => result.milliseconds))
    t.diagnostic(`${milliseconds.toFixed(1)} ms, ${response.rawPayload.length} bytes`)
    assert.equal(response.statusCode, attack.status, response.body.slice(0, 500))
    assert.match(String(response.headers['content-type']), /^application\/problem\+json/)
    assert.ok(milliseconds < (attack.maxMs ?? maxEventLoopMs), `${milliseconds} ms`)
    assert.ok(response.rawPayload.length < maxResponseBytes, `${response.rawPayload.length} bytes`)
  })
