import type { startTestApp } from '#testing'

export type TestApp = Awaited<ReturnType<typeof startTestApp>>
export type TestWorkspace = Awaited<ReturnType<TestApp['tenant']>>

/** A long operation on many records while workers are killed and users edit them, and what must hold afterwards. */
export type Soak = {
  name: string
  /** Number of records in the test suite; undefined if the suite does not run it. */
  testSize?: number
  /** Number of records of `npm run soak`. */
  fullSize: number
  /** Returns the violations. */
  run(app: TestApp, options: SoakOptions): Promise<string[]>
}

export type SoakOptions = {
  size: number
  /** Requeues the jobs of a killed worker at once instead of waiting for the heartbeat timeout. */
  isShort: boolean
  report(line: string): void
}
