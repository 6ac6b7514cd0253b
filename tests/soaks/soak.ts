import type { startTestApp } from '#testing'

export type TestApp = Awaited<ReturnType<typeof startTestApp>>
export type TestWorkspace = Awaited<ReturnType<TestApp['tenant']>>

/** A long operation on many records while workers are killed and users edit them, and what must hold afterwards. */
export type Soak = {
  name: string
  /** Numbers of records. Without `test`, `npm test` does not run the soak. */
  sizes: { test?: number; nightly: number; full: number }
  /** Returns the violations. */
  run(app: TestApp, options: SoakOptions): Promise<string[]>
}

export type SoakOptions = {
  size: number
  /** Requeues the jobs of a killed worker at once instead of waiting for the heartbeat timeout, and kills it less often. */
  isShort: boolean
  report(line: string): void
}
