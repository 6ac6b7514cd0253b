import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { type Draw, drawBelow, hasChance, pick } from './draw.ts'

/** A request as bytes and text, as the network carries it. */
export type RawRequest = {
  method: string
  url: string
  headers: Record<string, string | string[]>
  body?: Buffer
}
type Oddity = (request: RawRequest, draw: Draw) => RawRequest

const withHeaders = (request: RawRequest, headers: RawRequest['headers']): RawRequest => ({
  ...request,
  headers: { ...request.headers, ...headers },
})
const withBody = (request: RawRequest, body: Buffer | string, type = 'application/json'): RawRequest => ({
  ...withHeaders(request, { 'content-type': type }),
  body: Buffer.from(body),
})
const textOf = ({ body }: RawRequest) => body?.toString() ?? '{}'
const withQuery = (request: RawRequest, query: string): RawRequest => ({
  ...request,
  url: `${request.url}${request.url.includes('?') ? '&' : '?'}${query}`,
})

const contentTypes = [
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'application/json; charset=utf-16',
  'application/json;charset=UTF-8;charset=latin1',
  'APPLICATION/JSON',
  'application/json, text/plain',
  'application/merge-patch+json',
  'application/problem+json',
  'json',
  '',
  ';',
]

export const bodyOddities: Oddity[] = [
  (request, draw) => withHeaders(request, { 'content-type': pick(draw, contentTypes) }),
  (request) => withBody(request, `\ufeff${textOf(request)}`),
  (request) => withBody(request, Buffer.from(textOf(request), 'utf16le'), 'application/json; charset=utf-16le'),
  (request) => withBody(request, Buffer.from(textOf(request).replace(/[a-z]/, '\xff'), 'latin1')),
  (request) => withHeaders(withBody(request, gzipSync(textOf(request))), { 'content-encoding': 'gzip' }),
  (request) => withBody(request, textOf(request).slice(0, -1)),
  (request) => withBody(request, `${textOf(request)}${textOf(request)}`),
  (request) => withBody(request, ''),
  (request, draw) => withBody(request, pick(draw, ['null', '0', '""', '[]', 'true', '[[]]', '{"a":1,"a":2}', '1e999'])),
  (request, draw) => withBody(request, nest('[', ']', pick(draw, [10, 100, 5_000]))),
  (request, draw) => withBody(request, nest('{"a":', '}', pick(draw, [10, 100, 5_000]), '1')),
  (request, draw) => withBody(request, nest('{"all":[', ']}', pick(draw, [6, 50, 500]))),
  (request) => withBody(request, textOf(request).replace('{', '{"__proto__":{"isAdmin":true},')),
  (request) => withBody(request, textOf(request).replace('{', '{"constructor":{"prototype":{}},')),
  (request) => withBody(request, textOf(request).replaceAll('"', "'")),
  (request) => withBody(request, textOf(request).replace(/:/, ':\u0000')),
  (request, draw) => withBody(request, draw(fc.json)),
  (request, draw) => withBody(request, changeLeaf(request, draw)),
  (request, draw) => withBody(request, changeLeaf(request, draw)),
  (request, draw) => withBody(request, removeKey(request, draw)),
  (request) => ({ ...request, body: undefined }),
  (request) => withBody(request, `{"a":"${'x'.repeat(1_100_000)}"}`),
]

const nest = (open: string, close: string, depth: number, inner = '') =>
  open.repeat(depth) + inner + close.repeat(depth)

/** Replaces one value of the JSON text by a value of any type. */
function changeLeaf(request: RawRequest, draw: Draw): string {
  const leaves = [...textOf(request).matchAll(/(?<=[:[,])("[^"\\]*"|-?\d[\d.]*|true|false|null|\{\}|\[\])(?=[,}\]])/g)]
  if (!leaves.length) return draw(fc.json)
  const { index, 0: leaf } = pick(draw, leaves)
  const value = pick(draw, [
    'null',
    '[]',
    '{}',
    '""',
    '-1',
    '0',
    '1e400',
    '99999999999999999999',
    '1.0000000000000001',
    'true',
    `[${leaf}]`,
    `{"a":${leaf}}`,
    `"${'x'.repeat(70_000)}"`,
    draw(fc.json),
  ])
  const text = textOf(request)
  return text.slice(0, index) + value + text.slice(index + leaf.length)
}

function removeKey(request: RawRequest, draw: Draw): string {
  const body: unknown = JSON.parse(textOf(request))
  if (typeof body !== 'object' || body === null) return '{}'
  const keys = Object.keys(body)
  const removed = keys[drawBelow(draw, Math.max(keys.length, 1))]
  return JSON.stringify(Object.fromEntries(Object.entries(body).filter(([key]) => key !== removed)))
}

const oddHeaders: RawRequest['headers'][] = [
  { accept: 'text/html' },
  { accept: 'image/*;q=0, */*;q=0.1' },
  { 'accept-encoding': 'gzip, br;q=0' },
  { 'accept-language': 'x'.repeat(2_000) },
  { range: 'bytes=0-0' },
  { range: 'bytes=-0,5-1' },
  { 'if-none-match': '*' },
  { 'if-none-match': 'W/"1", "2"' },
  { 'if-modified-since': 'yesterday' },
  { 'if-match': '*' },
  { 'if-match': '"99999999999"' },
  { 'if-match': '"\xff"' },
  { 'idempotency-key': 'x'.repeat(300) },
  { 'idempotency-key': '\xfc\xfe' },
  { 'idempotency-key': ' ' },
  { expect: '100-continue' },
  { 'x-http-method-override': 'DELETE' },
  { 'x-forwarded-for': '1.2.3.4, unknown, ::1' },
  { 'x-forwarded-host': 'other.tributary.test' },
  { 'x-forwarded-proto': 'https' },
  { forwarded: 'for="_x";host=other' },
  { 'x-request-id': '<script>' },
  { 'x-request-id': '\xff'.repeat(100) },
  { traceparent: '00-00000000000000000000000000000000-0000000000000000-ff' },
  { cookie: 'session=a; __Host-x=\xff' },
  { cookie: ['a=b', 'c=d'] },
  { origin: 'null' },
  { origin: 'https://engines.example', 'access-control-request-method': 'PUT' },
  { referer: 'http://[::1' },
  { 'user-agent': '\xff'.repeat(600) },
  { 'user-agent': '' },
  { 'last-event-id': "1' or '1'='1" },
  { 'last-event-id': '99999999999999999999' },
  { 'x-tenant-id': '01890000-0000-7000-8000-000000000000' },
  { authorization: 'Basic YTpi' },
  { authorization: 'Bearer ' },
  { authorization: 'ApiKey svc_live_\xff' },
  { 'x-api-key': 'svc_live_abc' },
  { 'content-type': 'application/json' },
]

const oddQueries = [
  'limit=1&limit=2',
  'limit[]=1',
  'limit[__proto__]=1',
  'limit=',
  'limit=1e1',
  'limit=%31',
  'limit=+1',
  'offset=-0',
  'offset=1000001',
  'count=exact&count=none',
  'sort=-created_at,name',
  'sort=__proto__',
  'sort=name%00',
  '%E0%A4%A',
  '%',
  '&&&',
  '=',
  '?a=b',
  'a=b;c=d',
  '__proto__=1',
  'search=%00',
  'search=%F0%9F',
  'search=%25_%5C',
  `search=${'a+'.repeat(60)}`,
  'search=%22a%22+-b+or+c:*',
  'cursor=',
  'cursor=W10&offset=1',
  'status=,',
  'status=new,new,%6Eew',
  'q=%27%3B--',
  `${'x'.repeat(3_000)}=1`,
  'include_deleted=true',
  'created_from=2026-01-01&created_to=2025-01-01',
  'from=2199-12-31&to=1900-01-01',
  'tz=Mars%2FOlympus',
]

export const transportOddities: Oddity[] = [
  (request, draw) => withHeaders(request, pick(draw, oddHeaders)),
  (request, draw) => withHeaders(request, { ...pick(draw, oddHeaders), ...pick(draw, oddHeaders) }),
  (request, draw) => withQuery(request, pick(draw, oddQueries)),
  (request, draw) => withQuery(withQuery(request, pick(draw, oddQueries)), pick(draw, oddQueries)),
  (request, draw) => ({ ...request, method: pick(draw, ['HEAD', 'OPTIONS', 'GET', 'PUT', 'POST', 'DELETE', 'PATCH']) }),
  (request, draw) => ({ ...request, url: changePath(request.url, draw) }),
]

function changePath(url: string, draw: Draw): string {
  const [path = '', ...query] = url.split('?')
  const changed = pick(draw, [
    path.endsWith('/') ? path.slice(0, -1) : `${path}/`,
    path.replaceAll('/', '//'),
    path.toUpperCase(),
    path.replace(/[a-z]/g, (letter) => (hasChance(draw, 30) ? `%${letter.charCodeAt(0).toString(16)}` : letter)),
    `${path}/..`,
    `${path}%2f`,
    `${path};a=b`,
    `${path}%00`,
    `${path}.json`,
  ])
  return [changed, ...query].join('?')
}
