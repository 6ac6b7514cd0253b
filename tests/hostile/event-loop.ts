import { type Profiler, Session } from 'node:inspector/promises'
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** `functions` are those that used most of the time, with their files. */
export type Turn = { start: number; end: number; ms: number; functions: string[] }

/** A timer fires after the turn in which it was due, so a long time between two of them is one turn. */
const sampleMs = 5
const namedFunctions = 3

/** Measures the processor time of each turn of the event loop while the work runs. Returns those above the limit. */
export async function findLongTurns<T>(
  work: () => Promise<T>,
  { limitMs }: { limitMs: number },
): Promise<{ result: T; turns: Turn[] }> {
  const turns: Turn[] = []
  const pauses: { startTime: number; duration: number }[] = []
  const observer = new PerformanceObserver((list) => void pauses.push(...list.getEntries().filter(isMajorCollection)))
  observer.observe({ entryTypes: ['gc'] })
  const profiler = await startProfiler()
  let isRunning = true
  const watched = watchTurns(
    () => isRunning,
    (turn) => turn.ms > limitMs && turns.push(turn),
  )
  try {
    const result = await work()
    // The watch ends first, because the profiler needs a long turn to write its profile.
    isRunning = false
    await watched
    const profile = await profiler.stop()
    const long = turns.map((turn) => withoutPauses(turn, pauses)).filter(({ ms }) => ms > limitMs)
    const named = long.map((turn) => ({ ...turn, functions: profile.findFunctions(turn) }))
    // The profiler itself sometimes needs a long turn, in which no function runs.
    return { result, turns: named.filter(({ functions }) => functions.length > 0) }
  } finally {
    isRunning = false
    await watched
    observer.disconnect()
  }
}

async function watchTurns(isRunning: () => boolean, report: (turn: Turn) => void): Promise<void> {
  let [start, used] = [performance.now(), threadMs()]
  while (isRunning()) {
    await sleep(sampleMs)
    const [end, usedNow] = [performance.now(), threadMs()]
    report({ start, end, ms: usedNow - used, functions: [] })
    ;[start, used] = [end, usedNow]
  }
}

const isMajorCollection = (entry: PerformanceEntry): boolean =>
  (entry as { detail?: { kind: number } }).detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR

/** Subtracts major collections, which are at any time and collect the garbage of earlier work. */
function withoutPauses(turn: Turn, pauses: readonly { startTime: number; duration: number }[]): Turn {
  const within = pauses.filter(({ startTime }) => startTime >= turn.start && startTime <= turn.end)
  return { ...turn, ms: turn.ms - within.reduce((sum, { duration }) => sum + duration, 0) }
}

/** Processor time of this thread, which does not depend on other processes. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

async function startProfiler() {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.start')
  const startedAt = performance.now()
  // The profiler needs a long turn of its own before its first sample.
  await sleep(2 * sampleMs)
  return {
    async stop() {
      const { profile } = await session.post('Profiler.stop')
      session.disconnect()
      return { findFunctions: ({ start, end }: Turn) => findFunctions(profile, start - startedAt, end - startedAt) }
    },
  }
}

/** Counts the samples between two times of each function of ours or of a library that was running or waiting for another one. */
function findFunctions({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile, fromMs: number, toMs: number) {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const counts = new Map<string, number>()
  let elapsedMs = 0
  for (const [index, sample] of samples.entries()) {
    elapsedMs += timeDeltas[index]! / 1_000
    if (elapsedMs < fromMs || elapsedMs > toMs) continue
    const names = new Set<string>()
    for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) {
      const { functionName, url, lineNumber } = byId.get(id)!.callFrame
      if (/\/(src|node_modules)\//.test(url))
        names.add(`${functionName} ${url.split('/').slice(-2).join('/')}:${lineNumber + 1}`)
    }
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const sorted = [...counts].sort(([, one], [, other]) => other - one)
  return sorted.slice(0, namedFunctions).map(([name]) => name)
}
