import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiProblem } from '../../../api/problem.ts'
import { type CountMode, createPreviewSchedule, maxAutomatic, maxPerMinute } from './preview-schedule.ts'
import { type Rule, ruleKey } from './rule-tree.ts'

type Sent = { at: number; rule: Rule; mode: CountMode; signal: AbortSignal; answer: (result: unknown) => void }

/** A schedule whose time passes only in `pass`. */
function startSchedule(answerAfterMs?: number) {
  let time = 1_000_000
  const timers = new Map<object, { at: number; run: () => void }>()
  const setTimer = (run: () => void, ms: number) => {
    const timer = {}
    timers.set(timer, { at: time + Math.max(0, ms), run })
    return () => void timers.delete(timer)
  }
  const sent: Sent[] = []
  const schedule = createPreviewSchedule<unknown>(
    (rule, { mode, signal }) =>
      new Promise((resolve, reject) => {
        const answer = (result: unknown) => (result instanceof Error ? reject(result) : resolve(result))
        sent.push({ at: time, rule, mode, signal, answer })
        if (answerAfterMs !== undefined) setTimer(() => answer(`result of ${JSON.stringify(rule)}`), answerAfterMs)
      }),
    { now: () => time, setTimer },
    [],
  )
  const settle = async () => {
    for (let n = 0; n < 4; n++) await Promise.resolve()
  }
  /** Runs the timers of the next milliseconds in their order. */
  const pass = async (ms: number) => {
    const end = time + ms
    for (;;) {
      const [next] = [...timers].sort(([, one], [, other]) => one.at - other.at)
      if (!next || next[1].at > end) break
      timers.delete(next[0])
      time = next[1].at
      next[1].run()
      await settle()
    }
    time = end
    await settle()
  }
  const typed = (value: unknown): Rule => ({ field: 'score', op: 'gte', value })
  return { schedule, sent, pass, settle, typed, state: () => schedule.state.get(), now: () => time }
}

test('the first rule is counted at once, and a changed one 600 ms after the last change', async () => {
  const { schedule, sent, pass, typed, state } = startSchedule(50)

  schedule.change(typed(1))
  await pass(60)
  assert.deepEqual([sent.length, state().status, state().changes], [1, 'done', 0])

  for (const value of [2, 3, 4]) {
    schedule.change(typed(value))
    await pass(500)
  }
  assert.deepEqual([sent.length, state().status, state().changes], [1, 'waiting', 3])
  await pass(150)
  assert.deepEqual(sent.at(-1)!.rule, typed(4))
  assert.equal(sent.length, 2)
  assert.deepEqual([state().status, state().counted?.result], ['done', `result of ${JSON.stringify(typed(4))}`])
})

test('fast typing sends at most 20 previews a minute, one at a time and no rule twice', async () => {
  for (const pauseMs of [90, 610, 700, 1_900, 3_100]) {
    const { schedule, sent, pass, typed, now } = startSchedule(400)
    const end = now() + 5 * 60_000
    for (let value = 0; now() < end; value++) {
      schedule.change(typed(value % 400))
      await pass(pauseMs)
      if (value % 7 === 0) schedule.countNow()
    }
    await pass(120_000)

    for (const { at } of sent) {
      const inMinute = sent.filter((other) => other.at > at - 60_000 && other.at <= at)
      assert.ok(inMinute.length <= maxPerMinute, `${inMinute.length} with a pause of ${pauseMs} ms`)
    }
    const answered = sent.filter(({ signal }) => !signal.aborted).map(({ rule }) => JSON.stringify(rule))
    assert.equal(new Set(answered).size, answered.length)
    assert.ok(sent.length > 0)
  }
})

test('counting pauses after the automatic requests of a minute, and the rest is for the button', async () => {
  const { schedule, sent, pass, typed, state, now } = startSchedule(10)
  for (let value = 0; value < 30; value++) {
    schedule.change(typed(value))
    await pass(700)
  }
  assert.equal(sent.length, maxAutomatic)
  assert.equal(state().status, 'paused')
  assert.equal(state().pausedUntil, sent[0]!.at + 60_000)
  assert.ok(state().changes > 1)

  schedule.countNow()
  await pass(20)
  assert.deepEqual([sent.length, state().status, state().changes], [maxAutomatic + 1, 'done', 0])
  schedule.countAll()
  await pass(20)
  schedule.countAll()
  await pass(20)
  assert.deepEqual([sent.length, sent.at(-1)!.mode, state().status], [maxPerMinute, 'exact', 'paused'])

  schedule.change(typed(99))
  await pass(state().pausedUntil! - now() + 10_000)
  assert.deepEqual(sent.at(-1)!.rule, typed(99))
  assert.equal(state().status, 'done')
})

test('a change cancels the request before, whose result is not shown', async () => {
  const { schedule, sent, pass, settle, typed, state } = startSchedule()
  schedule.change(typed(1))
  await pass(10)
  schedule.change(typed(2))
  assert.equal(sent[0]!.signal.aborted, true)
  await pass(700)
  sent[0]!.answer('old')
  sent[1]!.answer('new')
  await settle()

  assert.deepEqual([sent.length, state().counted?.result], [2, 'new'])
})

test('a rule that was counted before is shown again without a request', async () => {
  const { schedule, sent, pass, typed, state } = startSchedule(10)
  for (const value of [1, 2, 1, 2, 1]) {
    schedule.change(typed(value))
    await pass(700)
    schedule.change(typed(value))
  }

  assert.equal(sent.length, 2)
  assert.equal(state().counted?.key, ruleKey(typed(1)))
})

test('an invalid rule is not sent again, and the wait that the server asks for is kept', async () => {
  const { schedule, sent, pass, settle, typed, state } = startSchedule()
  schedule.change(typed('x'))
  await pass(10)
  sent[0]!.answer(new ApiProblem(422, { code: 'validation_failed' }))
  await settle()
  await pass(60_000)
  assert.deepEqual([sent.length, state().status], [1, 'invalid'])

  schedule.change(typed(2))
  await pass(700)
  sent[1]!.answer(new ApiProblem(429, { code: 'rate_limited' }, 7))
  await settle()
  assert.equal(state().status, 'paused')
  await pass(6_900)
  assert.equal(sent.length, 2)
  await pass(200)
  assert.deepEqual([sent.length, sent[2]!.rule], [3, typed(2)])
})

test('after a failure the user counts again, and a rule that cannot be counted sends nothing', async () => {
  const { schedule, sent, pass, settle, typed, state } = startSchedule()
  schedule.change(typed(1))
  await pass(10)
  sent[0]!.answer(new ApiProblem(0, {}))
  await settle()
  assert.equal(state().status, 'failed')
  schedule.countNow()
  sent[1]!.answer('result')
  await settle()
  assert.equal(state().status, 'done')

  schedule.change(undefined)
  schedule.countNow()
  await pass(5_000)
  assert.deepEqual([sent.length, state().status, state().counted?.result], [2, 'none', 'result'])
})
