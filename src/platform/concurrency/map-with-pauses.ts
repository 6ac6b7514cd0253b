import { setImmediate as nextTurn } from 'node:timers/promises'

const sliceMs = 10

export async function mapWithPauses<T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> {
  const results: R[] = []
  let sliceStart = performance.now()
  for (const item of items) {
    if (performance.now() - sliceStart > sliceMs) {
      await nextTurn()
      sliceStart = performance.now()
    }
    results.push(map(item))
  }
  return results
}
