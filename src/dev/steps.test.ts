import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrateWithProgress, reportTask, type TaskProgress, waitForApi } from './steps.ts'

const collect = () => {
  const lines: string[] = []
  return { lines, print: (line: string) => void lines.push(line) }
}

test('npm run dev waits for the API as long as its process runs, and says that it still waits', async () => {
  const { lines, print } = collect()
  let asked = 0

  await waitForApi({
    isReady: async () => ++asked > 1_000,
    findEnded: () => undefined,
    print,
    pauseMs: 0,
    reportMs: 0,
  })

  assert.equal(asked, 1_001)
  assert.match(lines[0]!, /^ {2}still starting after \d+ s$/)
})

test('npm run dev ends when a process of the API ends, and names it', async () => {
  let asked = 0
  const waiting = waitForApi({
    isReady: async () => {
      asked++
      return false
    },
    findEnded: () => (asked === 3 ? 'serve' : undefined),
    print() {},
    pauseMs: 0,
  })

  await assert.rejects(waiting, /The API did not start: `serve` ended\. Its output above says why\./)
})

test('the number of migrated files is printed while they are applied', async () => {
  const { lines, print } = collect()
  let pending = 67

  await migrateWithProgress({
    countPending: async () => pending,
    async run() {
      while (pending > 0 || !lines.some((line) => line.includes('67 of 67'))) {
        pending = Math.max(0, pending - 1)
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    },
    print,
    reportMs: 1,
  })

  assert.equal(lines[0], 'Migrating the database: 67 files')
  assert.match(lines[1]!, /^ {2}\d+ of 67 files$/)
})

const loading = (counts: readonly number[]) => {
  const states: TaskProgress[] = [
    { state: 'queued', progress: null },
    ...counts.map((done) => ({ state: 'running', progress: { done, total: 100 } })),
    { state: 'succeeded', progress: { done: 100, total: 100 } },
  ]
  return { name: 'Loading sample data', read: async () => states.shift(), pauseMs: 0 }
}

test('the progress of the sample data is printed once per quarter until it is loaded', async () => {
  const { lines, print } = collect()

  await reportTask({ ...loading([3, 20, 26, 26, 49, 80, 99]), print })

  assert.deepEqual(
    lines.map((line) => line.replace('Loading sample data: ', '')),
    ['0', '26 of 100', '80 of 100', 'succeeded'],
  )
})

test('a terminal shows the progress of the sample data in one line', async () => {
  const { lines, print } = collect()
  const rewritten = collect()

  await reportTask({ ...loading([3, 20]), print, rewrite: rewritten.print })

  assert.deepEqual(rewritten.lines, [
    'Loading sample data: 0',
    'Loading sample data: 3 of 100',
    'Loading sample data: 20 of 100',
    '',
  ])
  assert.deepEqual(lines, ['Loading sample data: succeeded'])
})
