import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listProblems } from './run-scenario-tests.ts'
import { findScenarioTests, formatRanges, scenarioIdOf, scenarioIds } from './scenario-tests.ts'

const file = 'src/some.test.ts'
const passed = (name: string) => ({ name, file, hasPassed: true, reason: '' })

test('a scenario whose tests all pass is not a problem', () => {
  const scenarioTests = [{ id: 'crm-1-1', file }]

  assert.deepEqual(listProblems(scenarioTests, [passed('crm-1-1 one way'), passed('crm-1-1 another way')]), [])
})

test('a scenario test that fails, does not run or has an unknown id is a problem', () => {
  const scenarioTests = ['crm-1-1', 'crm-1-2', 'crm-1-999'].map((id) => ({ id, file }))
  const failed = { name: 'crm-1-1 another way', file, hasPassed: false, reason: 'wrong' }

  const problems = listProblems(scenarioTests, [passed('crm-1-1 one way'), failed, passed('crm-1-999 something')])

  assert.deepEqual(problems, [
    'crm-1-999 in src/some.test.ts: unknown scenario',
    'crm-1-2 in src/some.test.ts: did not run',
    'crm-1-1 another way (src/some.test.ts): wrong',
  ])
})

test('a scenario id is read completely and only at the beginning of a name', () => {
  assert.equal(scenarioIdOf('crm-1-12 a lead'), 'crm-1-12')
  assert.equal(scenarioIdOf('a lead of crm-1-12'), undefined)
  assert.equal(scenarioIdOf('utf-8-1 is not a scenario'), undefined)
})

test('numbers are formatted as ranges', () => {
  assert.equal(formatRanges([7, 1, 3, 2]), '1-3, 7')
  assert.equal(formatRanges([]), '')
})

test('every scenario test has the id of a scenario', () => {
  const unknown = findScenarioTests().filter(({ id }) => !scenarioIds.includes(id))

  assert.equal(scenarioIds.length, 402)
  assert.deepEqual(unknown, [])
})
