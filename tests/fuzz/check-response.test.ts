import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createResponseChecker } from './check-response.ts'
import { createDraw, drawBelow } from './draw.ts'
import { formatCurl } from './send-request.ts'

const schema = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
const ok = { content: { 'application/json': { schema } } }
const document = { paths: { '/api/teams/{team_id}': { get: { responses: { 200: ok } } } } }
const check = createResponseChecker(document, 'canary1')
const request = { method: 'GET', url: '/api/teams/1', headers: {} }
const route = { method: 'GET', url: '/api/teams/:team_id', isDocumented: true }
const findIn = (change: object, observed: typeof route | undefined = route) => {
  const headers = { 'content-type': 'application/json', 'x-request-id': '1' }
  return check(request, { status: 200, headers, text: '{"name":"Sales"}', ...change }, observed).join()
}

test('a documented response has no finding', () => {
  assert.equal(findIn({}), '')
})

test('server errors, undocumented responses and data of the other workspace are found', () => {
  const problem = { 'content-type': 'application/problem+json', 'x-request-id': '1' }

  assert.match(findIn({ status: 500, text: 'broken' }), /responded 500 broken/)
  assert.match(findIn({ status: 418, headers: problem }), /418 is not a declared response/)
  assert.match(findIn({ text: '{"nmae":"Sales"}' }), /required property 'name'/)
  assert.match(findIn({ headers: { 'content-type': 'text/csv', 'x-request-id': '1' } }), /undeclared content type/)
  assert.match(findIn({ status: 404, headers: { 'content-type': 'text/plain' } }), /error of type text\/plain/)
  assert.match(findIn({ text: '{"name":"CANARY1 team"}' }), /other workspace's data/)
  assert.match(findIn({ headers: { link: '</x?cursor=canary1>' } }, undefined), /other workspace's data/)
})

test('the same seed and run draw the same values', () => {
  const drawSome = (seed: number, run: number) => {
    const draw = createDraw(seed, run)
    return [1, 2, 3, 4].map(() => drawBelow(draw, 1_000_000))
  }

  assert.deepEqual(drawSome(7, 42), drawSome(7, 42))
  assert.notDeepEqual(drawSome(7, 42), drawSome(7, 43))
  assert.notDeepEqual(drawSome(7, 42), drawSome(8, 42))
})

test('a curl command is quoted for the shell and contains no credential', () => {
  const headers = { authorization: 'Bearer eyJhbGciOi', cookie: ["it's", '\xff'] }

  const text = formatCurl({ method: 'PUT', url: '/a?b=c', headers, body: Buffer.from('{"é":1}') }, 'admin')

  assert.equal(
    text,
    `curl -X PUT -H "authorization: $ADMIN" -H 'cookie: it'\\''s' -H $'cookie: \\xff' ` +
      `--data-binary $'{"\\xc3\\xa9":1}' "$ORIGIN"'/a?b=c'`,
  )
})
