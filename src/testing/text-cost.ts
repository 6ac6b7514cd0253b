import assert from 'node:assert/strict'

const maxMs = 50

/**
 * Fails if the function takes long for a text of at most `maxLength` characters. The texts grow slowly, so that a function that
 * takes exponential time fails in seconds. Processor time of the thread does not depend on other processes.
 */
export function assertCheapText(
  run: (text: string) => unknown,
  textOf: (length: number) => string,
  { maxLength, limitMs = maxMs }: { maxLength: number; limitMs?: number },
): void {
  for (let length = 32; ; length = Math.min(maxLength, Math.ceil(length * 1.25))) {
    const text = textOf(length).slice(0, maxLength)
    const milliseconds = measureFastest(() => run(text), limitMs)
    assert.ok(milliseconds < limitMs, `${milliseconds} ms for ${text.length} characters: ${text.slice(0, 30)}…`)
    if (length >= maxLength) return
  }
}

/** Measures again what takes too long, because code is optimized while it runs and garbage is collected at any time. */
function measureFastest(run: () => unknown, limitMs: number): number {
  let fastest = Number.POSITIVE_INFINITY
  for (let n = 0; n < 3 && fastest >= limitMs; n++) fastest = Math.min(fastest, measureOnce(run))
  return fastest
}

function measureOnce(run: () => unknown): number {
  const start = process.threadCpuUsage()
  run()
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1_000
}
