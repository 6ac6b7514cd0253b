import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { testRoutes } from './body-kinds.fixture.ts'

const { tenant } = await startTestApp({}, { routes: testRoutes })
const { admin } = await tenant()

test('a route can allow more values, fewer keys and fewer levels than others', async () => {
  const post = (body: string) => admin.post('/api/teams/test-json-size', body)
  const numbers = (count: number) => JSON.stringify({ numbers: Array.from({ length: count }, () => 1) })

  assert.deepEqual((await post(numbers(55_000))).body, { length: 55_000 })
  assert.partialDeepStrictEqual((await post(numbers(60_001))).body, { status: 413, code: 'too_large' })
  assert.partialDeepStrictEqual((await post(`{"numbers":[${'{"a":1},'.repeat(11)}1]}`)).body, { status: 413 })
  assert.partialDeepStrictEqual((await post('{"numbers":[[[1]]]}')).body, { status: 422 })
})
