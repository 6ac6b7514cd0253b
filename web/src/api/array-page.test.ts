import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findNextCursor, readArrayPage } from './array-page.ts'
import { ApiProblem } from './problem.ts'

test('the cursor of the next page is read from the link header', () => {
  const link = '</api/users/?limit=2&cursor=abc%3D>; rel="next", </api/users/?limit=2>; rel="first"'

  assert.equal(findNextCursor(link), 'abc=')
  assert.equal(findNextCursor('</api/users/?limit=2>; rel="first"'), null)
  assert.equal(findNextCursor(null), null)
})

test('a list that is an array becomes a page with its total', async () => {
  const headers = { 'x-total-count': '1000', 'x-total-relation': 'gte', link: '</api/users/?cursor=x>; rel="next"' }
  const response = new Response('[]', { headers })

  const page = await readArrayPage(Promise.resolve({ data: [{ id: 'a' }], response }))

  assert.deepEqual(page, { items: [{ id: 'a' }], next_cursor: 'x', total: 1000, total_relation: 'gte' })
})

test('an error response of a list is a problem', async () => {
  const response = new Response('{}', { status: 403 })

  await assert.rejects(
    readArrayPage(Promise.resolve({ error: { code: 'scope_required' }, response })),
    (error) => error instanceof ApiProblem && error.code === 'scope_required',
  )
})
