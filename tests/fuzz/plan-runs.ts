import { createDraw, drawBelow } from './draw.ts'
import type { CallerName } from './fuzz-workspace.ts'

/** Within ten rounds every route is called as every caller; admins get furthest. */
const callers: CallerName[] = [
  'admin',
  'manager',
  'admin',
  'key',
  'member',
  'admin',
  'viewer',
  'admin',
  'none',
  'admin',
]

/** Returns a function that gives the route and the caller of a run. Every round calls all routes in another order. */
export function planRuns<T>(targets: readonly T[], seed: number) {
  let current = { round: -1, order: [] as number[] }
  return (run: number): { target: T; caller: CallerName } => {
    const round = Math.floor((run - 1) / targets.length)
    if (round !== current.round) current = { round, order: shuffle(targets.length, seed, round) }
    const index = current.order[(run - 1) % targets.length]!
    return { target: targets[index]!, caller: callers[(round + index) % callers.length]! }
  }
}

function shuffle(count: number, seed: number, round: number): number[] {
  const draw = createDraw(seed, -1 - round)
  const order = Array.from({ length: count }, (_, index) => index)
  for (let index = count - 1; index > 0; index--) {
    const other = drawBelow(draw, index + 1)
    ;[order[index], order[other]] = [order[other]!, order[index]!]
  }
  return order
}
