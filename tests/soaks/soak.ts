import type { startTestApp } from '#testing'

export type World = Awaited<ReturnType<typeof startTestApp>>
export type Acme = Awaited<ReturnType<World['tenant']>>

/** Something large that goes on for long while things go wrong around it, and what must hold afterwards. */
export type Soak = {
  name: string
  /** With how many records the tests run it, if they do. */
  few?: number
  /** With how many it is run by hand. */
  many: number
  /** What was violated. */
  run(world: World, run: Run): Promise<string[]>
}

export type Run = {
  size: number
  /** Does not wait until a dead worker is missed. */
  isShort: boolean
  /** Says what was measured. */
  tell(line: string): void
}
