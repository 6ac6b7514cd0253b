import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readArguments } from './arguments.ts'
import { formatPage, type PartResult } from './page.ts'
import { listParts, selectParts } from './parts.ts'
import { sampleRoutes } from './route-sample.ts'
import { runPart } from './run-part.ts'

const startedAt = new Date('2026-03-10T02:15:30Z')
const result = (fields: Partial<PartResult> = {}): PartResult => ({
  name: 'fuzz',
  command: 'npm run fuzz -- --seed 7',
  outcome: 'passed',
  output: 'done',
  wallSeconds: 61.4,
  processorSeconds: 119.6,
  ...fields,
})

test('the page has a row for every part and the sum of their times', () => {
  const page = formatPage([result(), result({ name: 'races', wallSeconds: 3.2, processorSeconds: 5 })], {
    seed: 7,
    startedAt,
  })

  assert.equal(
    page,
    `# Nightly run of 2026-03-10 02:15 UTC

All parts passed. Seed 7.

| part | result | wall time | processor time |
| --- | --- | ---: | ---: |
| fuzz | passed | 1:01 | 2:00 |
| races | passed | 0:03 | 0:05 |
| total | | 1:05 | 2:05 |
`,
  )
})

test('the page shows the last lines of a failure without colors, and how to repeat it', () => {
  const output = Array.from({ length: 100 }, (_, n) => `\u001b[31mline ${n}\u001b[39m`).join('\n')

  const page = formatPage([result({ outcome: 'failed', output, processorSeconds: undefined }), result()], {
    seed: 7,
    startedAt,
  })

  assert.match(page, /^1 of 2 parts failed\. Seed 7\.$/m)
  assert.match(page, /^\| fuzz \| failed \| 1:01 \| unknown \|$/m)
  assert.match(page, /\n## fuzz failed\n\nRepeat with: `npm run fuzz -- --seed 7`\n\n {4}line 70\n/)
  assert.match(page, /\n {4}line 99\n$/)
  assert.doesNotMatch(page, /line 69/)
})

test('the seed and the parts can be given', () => {
  assert.deepEqual(readArguments(['--seed', '7', '--only', 'fuzz,races']), { seed: 7, only: ['fuzz', 'races'] })
  const { seed, only } = readArguments([])
  assert.ok(Number.isInteger(seed) && seed > 0)
  assert.deepEqual(only, [])
  for (const invalid of ['0', '1.5', 'x', '2147483648'])
    assert.throws(
      () => readArguments(['--seed', invalid]),
      /^Error: --seed must be a whole number from 1 to 2147483647/,
    )
  assert.throws(() => readArguments(['--part', 'fuzz']), /Unknown option '--part'/)
})

test('parts without a script are left out, and unknown parts are rejected', () => {
  const scripts = { fuzz: '', races: '' }
  const namesOf = (names: string[]) => selectParts(listParts(7), scripts, names).map(({ name }) => name)

  assert.deepEqual(namesOf([]), ['fuzz', 'races'])
  assert.deepEqual(namesOf(['races']), ['races'])
  assert.throws(() => namesOf(['races', 'rules']), /^Error: Unknown part rules\. Use fuzz, races\.$/)
})

test('the seed is part of the commands with random values', () => {
  const commandOf = (name: string) => listParts(7).find((part) => part.name === name)!.command

  assert.equal(commandOf('fuzz'), 'npm run -s fuzz -- --runs 20000 --seed 7')
  assert.equal(commandOf('rules'), 'RULES_SEED=7 npm run -s rules')
})

const options = { cwd: import.meta.dirname, write: () => {} }
const part = (command: string, maxMinutes = 1) => ({ name: 'part', script: 'part', command, maxMinutes })

test('a part has passed if its command exits with 0', async () => {
  const [passed, failed] = [
    await runPart(part('echo ok'), options),
    await runPart(part('echo no >&2; exit 3'), options),
  ]

  assert.deepEqual([passed.outcome, passed.output], ['passed', 'ok\n'])
  assert.deepEqual([failed.outcome, failed.output], ['failed', 'no\n'])
})

test('a part that takes too long is stopped with its child processes', async () => {
  const { outcome, output } = await runPart(part('echo started; sleep 600 & wait; echo ended', 0.01), options)

  assert.equal(outcome, 'timed out')
  assert.equal(output, 'started\n\nStopped after 0.01 minutes.\n')
})

const registered = ['crm', 'marketing', 'surveys'].flatMap((module) =>
  Array.from({ length: 50 }, (_, n) => ({ module, method: 'GET', path: `/api/${module}/${n}/{id}` })),
)
const routes = registered.map(({ module, method, path }) => ({
  module,
  name: `${method} ${path.replace('{id}', ':id')}`,
}))
const sample = (commit: string, ...files: string[]) => sampleRoutes(routes, registered, { commit, files })

test('the build calls all routes of changed modules and half of the others, other ones after the next commit', () => {
  const files = [
    'src/modules/crm/people/leads/leads.rules.ts',
    'migrations/0331_surveys_sent.sql',
    'src/app.test.ts',
    'README.md',
  ]

  const [first, again, next] = [sample('a', ...files), sample('a', ...files), sample('b', ...files)]

  const countIn = (module: string) => first.filter((route) => route.module === module).length
  assert.deepEqual([countIn('crm'), countIn('surveys')], [50, 50])
  assert.ok(countIn('marketing') > 10 && countIn('marketing') < 40, `${countIn('marketing')} routes`)
  assert.deepEqual(again, first)
  assert.notDeepEqual(next, first)
  const commits = Array.from({ length: 12 }, (_, n) => sample(String(n), 'README.md'))
  assert.equal(new Set(commits.flat()).size, routes.length)
})

test('the build calls all routes after a change of all modules, or an unknown one', () => {
  for (const file of ['src/platform/http/http.ts', 'migrations/0332_platform_jobs.sql', 'tests/plans/explain.ts'])
    assert.deepEqual(sample('a', 'src/modules/crm/crm.module.ts', file), routes)
  assert.deepEqual(sampleRoutes(routes, registered, undefined), routes)
})
