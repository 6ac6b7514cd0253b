import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { before, test } from 'node:test'

let output = ''
before(() => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const file = join(import.meta.dirname, 'failing-test.fixture.ts')
  output = spawnSync(process.execPath, ['--test', '--test-reporter=spec', file], { env, encoding: 'utf8' }).stdout
})

const responseTo = (name: string) =>
  `POST /notes/${name} responded 422 validation_failed: The request is invalid.\n    /name: The name ${name} is not allowed.`

test('a failed assertion prints the problem responses of its test', () => {
  assert.match(output, /422 !== 201/)
  assert.ok(output.includes(responseTo('first')), output)
  assert.ok(output.includes(responseTo('nested')), output)
})

test('any other error of a test prints its last five problem responses', () => {
  const printed = ['old', 'two', 'three', 'four', 'five', 'six'].filter((name) => output.includes(responseTo(name)))

  assert.match(output, /Cannot read properties of undefined/)
  assert.deepEqual(printed, ['two', 'three', 'four', 'five', 'six'])
})

test('a test that passes prints no problem response', () => {
  assert.match(output, /✔ a test passes/)
  assert.ok(!output.includes('/notes/expected'), output)
})
