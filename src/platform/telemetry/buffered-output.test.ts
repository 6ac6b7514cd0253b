import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { bufferOutput } from './buffered-output.ts'

const count = 2_000

/** Runs a process that logs `count` lines, then `ending`, and returns the numbers of the written lines. */
async function runLogger(ending: string) {
  const script = `
    import { createLogger } from '#platform/telemetry'
    const log = createLogger({ LOG_LEVEL: 'info' })
    setInterval(() => {}, 1_000)
    for (let n = 0; n < ${count}; n++) log.info({ n }, 'a line')
    ${ending}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [output, code] = await Promise.all([
    text(child.stdout),
    new Promise((resolve) => child.once('exit', (code) => resolve(code))),
  ])
  const lines = output.trimEnd().split('\n')
  return { code, numbers: lines.map((line): number => JSON.parse(line).n) }
}

const allNumbers = Array.from({ length: count }, (_, n) => n)

const endings: Record<string, { ending: string; code: number }> = {
  'after an uncaught exception': { ending: `setImmediate(() => { throw new Error('no') })`, code: 1 },
  'after an unhandled rejection': { ending: `Promise.reject(new Error('no'))`, code: 1 },
  'if it exits': { ending: 'process.exit(3)', code: 3 },
  'if it ends after SIGTERM': {
    ending: `process.once('SIGTERM', () => process.exit(0)); process.kill(process.pid, 'SIGTERM')`,
    code: 0,
  },
}

for (const [description, { ending, code }] of Object.entries(endings)) {
  test(`a process writes all log lines ${description}`, async () => {
    const result = await runLogger(ending)

    assert.equal(result.code, code)
    assert.deepEqual(result.numbers, allNumbers)
  })
}

test('lines are written together, in order and soon', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const written: string[] = []
  const output = bufferOutput((part) => written.push(part))

  output.write('a\n')
  output.write('b\n')
  const before = [...written]
  context.mock.timers.tick(100)
  const afterDelay = [...written]
  output.write(`${'c'.repeat(20_000)}\n`)
  output.write('d\n')
  output.flushSync()
  output.flushSync()

  assert.deepEqual(before, [])
  assert.deepEqual(afterDelay, ['a\nb\n'])
  assert.deepEqual(
    written.slice(1).map((part) => part.length),
    [20_001, 2],
  )
})
