import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LookupInput } from '#modules/crm'
import { createEgress } from '#platform/egress'
import { startReceiver } from '../../../../platform/egress/receivers.stand-in.ts'
import { ProviderError } from './enrichment-provider.ts'
import { createHttpProvider } from './http-provider.client.ts'
import { fillUrlTemplate, findUrlProblem, hostOfTemplate, readPointer } from './url-template.rules.ts'

const input: LookupInput = {
  email: 'a+b@x.example',
  domain: 'x.example',
  name: 'Änne & Co',
  company: null,
  title: null,
  phone: '+4930',
  country: 'DE',
}
const answers: Record<string, [status: number, body: string]> = {
  '/found': [200, JSON.stringify({ data: [{ 'job/title': 'CTO', size: 12, empty: '', none: null }] })],
  '/empty': [200, '{}'],
  '/list': [200, '[1]'],
  '/text': [200, 'hello'],
  '/large': [200, JSON.stringify({ data: 'x'.repeat(262_144) })],
  '/gone': [404, ''],
  '/nothing': [204, ''],
  '/denied': [403, ''],
}
const service = await startReceiver((request, response) => {
  const [status, body] = answers[new URL(request.url!, 'http://x').pathname]!
  response.writeHead(status).end(status === 204 ? undefined : body)
})
const base = `http://127.0.0.1:${service.port}`
const egress = createEgress({ config: { APP_DOMAIN: 'tributary.test', SAFE_FETCH_ALLOW_PRIVATE: true } })
const mapping = {
  title: '/data/0/job~1title',
  employee_count: '/data/0/size',
  city: '/data/0/empty',
  region: '/data/0/none',
}
const config = {
  url: `${base}/found?q={email}`,
  method: 'GET' as const,
  secret_header: 'X-Key',
  entity_types: ['lead' as const],
  mapping,
  confidence: 0.9,
  credits: 2,
  max_requests_per_minute: 60,
}
const fields = ['title', 'employee_count', 'city', 'region']
const lookUp = (
  changes: Partial<Omit<typeof config, 'method'> & { method: 'GET' | 'POST' }> = {},
  secret: string | null = null,
) =>
  createHttpProvider({ key: 'people', config: { ...config, ...changes } as never, secret, egress }).lookUp(
    input,
    fields,
    new AbortController().signal,
  )

test('values are read from the response by JSON pointer, and empty ones are left out', async () => {
  const result = await lookUp({}, 'hush')

  assert.deepEqual(result, {
    matched: true,
    fields: { title: { value: 'CTO', confidence: 0.9 }, employee_count: { value: 12, confidence: 0.9 } },
  })
  const request = service.received.at(-1)!
  assert.equal(request.url, '/found?q=a%2Bb%40x.example')
  assert.equal(request.headers['x-key'], 'hush')
})

test('a POST sends what is known of the record and the missing fields', async () => {
  await lookUp({ method: 'POST', url: `${base}/found` })

  const { method, body, headers } = service.received.at(-1)!
  assert.deepEqual([method, headers['content-type'], headers['x-key']], ['POST', 'application/json', undefined])
  assert.deepEqual(JSON.parse(body), {
    email: 'a+b@x.example',
    domain: 'x.example',
    name: 'Änne & Co',
    phone: '+4930',
    country: 'DE',
    fields,
  })
})

test('an unknown person is no match', async () => {
  for (const path of ['/empty', '/list', '/gone', '/nothing'])
    assert.deepEqual(await lookUp({ url: base + path }), { matched: false, fields: {} }, path)
})

test('errors of the service are reported with a reason', async () => {
  const reasonOf = async (path: string) => {
    const error = await lookUp({ url: base + path }).catch((caught: unknown) => caught)
    assert.ok(error instanceof ProviderError)
    return error.reason
  }

  assert.equal(await reasonOf('/text'), 'invalid_json')
  assert.equal(await reasonOf('/large'), 'too_large')
  assert.equal(await reasonOf('/denied'), 'status_403')
})

test('a placeholder cannot decide where the request is sent', () => {
  assert.equal(findUrlProblem('https://api.example.com/{email}?f={fields}'), undefined)
  assert.equal(findUrlProblem('https://{domain}/x'), 'placeholder_in_host')
  assert.equal(findUrlProblem('https://api.{domain}/x'), 'placeholder_in_host')
  assert.equal(findUrlProblem('https://api.example.com:{phone}/'), 'invalid_url')
  assert.equal(findUrlProblem('{email}://api.example.com/'), 'placeholder_in_host')
  assert.equal(findUrlProblem('https://{email}@api.example.com/'), 'placeholder_in_host')
  assert.equal(findUrlProblem('https://api.example.com/{password}'), 'unknown_placeholder')
  assert.equal(findUrlProblem('nonsense'), 'invalid_url')
  assert.equal(hostOfTemplate('https://API.example.com:8443/{email}'), 'api.example.com:8443')
})

test('values are encoded in the URL, and a missing value prevents the call', () => {
  const hostile = { ...input, name: '../../admin?x=#&y=/', company: '\ud800' }

  assert.equal(
    fillUrlTemplate('https://a.example/{name}', hostile, []),
    'https://a.example/..%2F..%2Fadmin%3Fx%3D%23%26y%3D%2F',
  )
  assert.equal(fillUrlTemplate('https://a.example/{company}', hostile, []), 'https://a.example/%EF%BF%BD')
  assert.equal(fillUrlTemplate('https://a.example/{title}', input, ['title']), undefined)
  const fill = (template: string, name: string) => fillUrlTemplate(template, { ...input, name }, [])
  for (const name of ['.', '..']) assert.equal(fill('https://a.example/people/{name}/titles', name), undefined)
  assert.equal(fill('https://a.example/people/.{name}', '.'), undefined)
  assert.equal(fill('https://a.example/people/{name}', '...'), 'https://a.example/people/...')
  assert.equal(fill('https://a.example/people?name={name}', '..'), 'https://a.example/people?name=..')
})

test('JSON pointers do not reach inherited properties', () => {
  assert.equal(readPointer({ a: 1 }, '/constructor'), undefined)
  assert.equal(readPointer({ a: { '~': 2 } }, '/a/~0'), 2)
  assert.equal(readPointer([{ b: null }], '/0/b'), null)
  assert.equal(readPointer('text', '/length'), undefined)
})
