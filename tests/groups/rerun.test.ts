import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyOutcomes, groupRunner, type Outcomes } from '../outcomes/outcomes.ts'
import { attributeRunnerFailure, listFailedFiles, mergeOutcomes } from './rerun.ts'

const passed = (name: string, file: string) => ({ name, file, hasPassed: true, reason: '' })
const failed = (name: string, file: string) => ({ name, file, hasPassed: false, reason: 'Error: no' })
const outcomes = (...tests: Outcomes['tests']): Outcomes => ({ ...emptyOutcomes(), tests })

test('a file with failed tests runs again, also if it shared a process', () => {
  const first = outcomes(
    passed('one', 'a.test.ts'),
    failed('two', 'a.test.ts'),
    failed('a.test.ts', groupRunner),
    failed('three', 'b.test.ts'),
    { ...failed('four', 'c.test.ts'), reason: 'skipped' },
  )

  assert.deepEqual(listFailedFiles(first), ['a.test.ts', 'b.test.ts'])
})

test('many failures and failures without a file are final', () => {
  const many = Array.from({ length: 21 }, (_, number) => failed('one', `${number}.test.ts`))

  assert.deepEqual(listFailedFiles(outcomes(...many)), [])
  assert.deepEqual(listFailedFiles(outcomes(failed('one', 'a.test.ts'), failed('crash', ''))), [])
})

test('the outcomes of the second run replace those of its files', () => {
  const first = outcomes(
    passed('one', 'a.test.ts'),
    failed('two', 'b.test.ts'),
    failed('b.test.ts', groupRunner),
    passed('a.test.ts', groupRunner),
  )
  const second = outcomes(passed('two', 'b.test.ts'))

  const { tests } = mergeOutcomes(first, second, ['b.test.ts'])

  assert.deepEqual(tests, [passed('one', 'a.test.ts'), passed('a.test.ts', groupRunner), passed('two', 'b.test.ts')])
})

test('the end of a process that fails after one of its files is not a failure of its own', () => {
  const runner = failed(`/clone/${groupRunner}`, groupRunner)
  const ofFile = [failed('one', 'a.test.ts'), failed('a.test.ts', groupRunner)]

  assert.deepEqual(attributeRunnerFailure([...ofFile, runner]), ofFile)
  assert.deepEqual(
    attributeRunnerFailure([passed('one', 'a.test.ts'), runner]).map(({ file, hasPassed }) => [file, hasPassed]),
    [
      ['a.test.ts', true],
      ['', false],
    ],
  )
})
