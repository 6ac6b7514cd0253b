import { isProblem } from '../../../api/problem.ts'
import { createStore, type Store } from '../../../api/store.ts'
import { type Rule, ruleKey } from './rule-tree.ts'

const settleMs = 600
const windowMs = 60_000
const maxKept = 30

export const maxPerMinute = 20
/** Counting while the user types leaves a few requests for those that the user asks for. */
export const maxAutomatic = 18

export type CountMode = 'capped' | 'exact'
export type Counted<Result> = { key: string; result: Result; mode: CountMode; at: number }

export type PreviewState<Result> = {
  status: 'none' | 'waiting' | 'counting' | 'done' | 'paused' | 'invalid' | 'failed'
  /** The last result, which may be that of an earlier rule. */
  counted: Counted<Result> | undefined
  changes: number
  pausedUntil: number | undefined
  error: unknown
}

type Clock = { now: () => number; setTimer: (run: () => void, ms: number) => () => void }
type Send<Result> = (rule: Rule, options: { mode: CountMode; signal: AbortSignal }) => Promise<Result>

/** The times of the requests of the last minute. All rules of a tab share them, because the API counts them together. */
export type SendTimes = number[]
const sendTimes: SendTimes = []

const browserClock: Clock = {
  now: Date.now,
  setTimer(run, ms) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

export type PreviewSchedule<Result> = {
  state: Store<PreviewState<Result>>
  /** Notes the current rule; undefined while it cannot be counted. */
  change: (rule: Rule | undefined) => void
  countNow: () => void
  countAll: () => void
  stop: () => void
}

/** Counts a rule while it is edited: after a pause, one request at a time, each rule once, and not too often. */
export function createPreviewSchedule<Result>(
  send: Send<Result>,
  { now, setTimer }: Clock = browserClock,
  times: SendTimes = sendTimes,
): PreviewSchedule<Result> {
  const state = createStore<PreviewState<Result>>({
    status: 'none',
    counted: undefined,
    changes: 0,
    pausedUntil: undefined,
    error: undefined,
  })
  const kept = new Map<string, Counted<Result>>()
  let current: { key: string; rule: Rule } | undefined
  let request: AbortController | undefined
  let cancelTimer: (() => void) | undefined
  let isFirst = true

  const update = (changes: Partial<PreviewState<Result>>) => state.set({ ...state.get(), ...changes })
  const wait = (run: () => void, ms: number) => {
    cancelTimer?.()
    cancelTimer = setTimer(run, ms)
  }
  const stop = () => {
    cancelTimer?.()
    request?.abort()
    request = undefined
  }
  const pauseUntil = (until: number) => {
    update({ status: 'paused', pausedUntil: until })
    wait(countLater, until - now())
  }

  function findFreeTime(limit: number): number | undefined {
    const at = now()
    while (times.length > 0 && times[0]! <= at - windowMs) times.shift()
    return times.length < limit ? undefined : times[times.length - limit]! + windowMs
  }

  function countLater(): void {
    const freeAt = findFreeTime(maxAutomatic)
    if (freeAt === undefined) void count('capped')
    else pauseUntil(freeAt)
  }

  async function count(mode: CountMode): Promise<void> {
    if (!current) return
    const { key, rule } = current
    const freeAt = findFreeTime(maxPerMinute)
    if (freeAt !== undefined) return pauseUntil(freeAt)
    stop()
    const own = new AbortController()
    request = own
    times.push(now())
    update({ status: 'counting', pausedUntil: undefined, error: undefined })
    try {
      const result = await send(rule, { mode, signal: own.signal })
      if (request === own) keep({ key, result, mode, at: now() })
    } catch (error) {
      if (request === own) handleFailure(error)
    }
  }

  function keep(counted: Counted<Result>): void {
    kept.delete(counted.key)
    kept.set(counted.key, counted)
    if (kept.size > maxKept) kept.delete(kept.keys().next().value!)
    request = undefined
    update({ status: 'done', counted, changes: 0 })
  }

  function handleFailure(error: unknown): void {
    request = undefined
    const { status, retryAfterSeconds } = isProblem(error) ? error : { status: undefined, retryAfterSeconds: null }
    if (status === 429) pauseUntil(now() + (retryAfterSeconds ?? 5) * 1_000)
    else update({ status: status === 422 ? 'invalid' : 'failed', error })
  }

  return {
    state,
    stop() {
      stop()
      current = undefined
      isFirst = true
    },
    change(rule) {
      const key = rule && ruleKey(rule)
      if (key === current?.key) return
      stop()
      current = rule && { key: key!, rule }
      const { changes, pausedUntil } = state.get()
      const counted = key === undefined ? undefined : kept.get(key)
      if (!rule) return update({ status: 'none', changes: changes + 1, error: undefined })
      if (counted) return update({ status: 'done', counted, changes: 0, pausedUntil: undefined, error: undefined })
      const isPaused = pausedUntil !== undefined && pausedUntil > now()
      update({ status: isPaused ? 'paused' : 'waiting', changes: isFirst ? 0 : changes + 1, error: undefined })
      wait(countLater, isFirst ? 0 : isPaused ? Math.max(settleMs, pausedUntil - now()) : settleMs)
      isFirst = false
    },
    countNow: () => void count('capped'),
    countAll: () => void count('exact'),
  }
}
