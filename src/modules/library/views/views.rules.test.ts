import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { applyHeartbeat, isViewOpen, type ViewState } from './views.rules.ts'

const start = new Date('2026-03-01T09:00:00Z')
const at = (seconds: number) => new Date(start.getTime() + seconds * 1_000)
const newView: ViewState & { last_event_at: Date } = {
  started_at: start,
  last_event_at: start,
  last_heartbeat_at: null,
  reported_seconds: 0,
  active_seconds: 0,
  has_progress: false,
  duration_seconds: null,
  progress: 0,
  max_page: null,
  page_seconds: null,
  completed: false,
}

type Beat = { at: number; active_seconds: number; progress?: number; page?: number }
const send = (beats: Beat[], has_progress = false, duration_seconds: number | null = null) =>
  beats.reduce<ViewState>(
    (view, { at: seconds, ...heartbeat }) => ({
      ...applyHeartbeat(view, heartbeat, at(seconds)),
      has_progress,
      duration_seconds,
      started_at: start,
      last_heartbeat_at: at(seconds),
    }),
    { ...newView, has_progress, duration_seconds },
  )

test('reports of 15, 615, 630 and 600 seconds end at 120 seconds', () => {
  const beats = [
    { at: 15, active_seconds: 15 },
    { at: 615, active_seconds: 615 },
    { at: 630, active_seconds: 630 },
    { at: 631, active_seconds: 600 },
  ]

  assert.deepEqual(
    [1, 2, 3, 4].map((count) => send(beats.slice(0, count)).active_seconds),
    [15, 105, 120, 120],
  )
})

test('a view is completed at 90 % progress, or after 10 seconds if it reports none', () => {
  assert.equal(send([{ at: 20, active_seconds: 20, progress: 0.89 }], true).completed, false)
  assert.equal(send([{ at: 2, active_seconds: 2, progress: 0.9 }], true).completed, true)
  assert.equal(send([{ at: 9, active_seconds: 9 }]).completed, false)
  assert.equal(send([{ at: 10, active_seconds: 10 }]).completed, true)
})

test('progress and page never decrease', () => {
  const view = send([
    { at: 5, active_seconds: 5, progress: 0.5, page: 4 },
    { at: 10, active_seconds: 10, progress: 0.2, page: 2 },
  ])

  assert.deepEqual([view.progress, view.max_page], [0.5, 4])
})

test('a reported position counts as far as the active seconds allow at double speed', () => {
  const jump = [{ at: 1, active_seconds: 1, progress: 1 }]
  const watched = [...jump, { at: 90, active_seconds: 90, progress: 1 }]

  assert.deepEqual(
    [jump, watched].map((beats) => send(beats, true, 200)).map(({ progress, completed }) => [progress, completed]),
    [
      [0.01, false],
      [0.9, true],
    ],
  )
})

test('media is never played further than twice the active seconds, and an honest report is never reduced', () => {
  const beats = fc.array(
    fc.record({
      gap: fc.integer({ min: 1, max: 90 }),
      active: fc.integer({ min: 0, max: 90 }),
      speed: fc.double({ min: 0, max: 2, noNaN: true }),
      reported: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    }),
    { maxLength: 30 },
  )
  fc.assert(
    fc.property(beats, fc.integer({ min: 1, max: 3_600 }), (list, duration) => {
      let [elapsed, active, played] = [0, 0, 0]
      const [forged, honest]: Beat[][] = [[], []]
      for (const beat of list) {
        elapsed += beat.gap
        active += Math.min(beat.active, beat.gap)
        played += Math.min(beat.active, beat.gap) * beat.speed
        const sent = { at: elapsed, active_seconds: active }
        forged!.push({ ...sent, ...(beat.reported !== null && { progress: beat.reported }) })
        honest!.push({ ...sent, progress: Math.min(1, played / duration) })
      }
      const [view, own] = [send(forged!, true, duration), send(honest!, true, duration)]
      assert.ok(view.progress * duration <= view.active_seconds * 2 + 1e-6)
      assert.ok(Math.abs(own.progress - (honest!.at(-1)?.progress ?? 0)) < 1e-9)
    }),
  )
})

test('a view is closed 30 minutes after its last event', () => {
  assert.ok(isViewOpen(newView, at(30 * 60 - 1)))
  assert.equal(isViewOpen(newView, at(30 * 60)), false)
})

test('active seconds never exceed the reported ones or the time that passed, whatever the order of heartbeats', () => {
  const beats = fc.array(
    fc.record({ gap: fc.integer({ min: 0, max: 300 }), active_seconds: fc.integer({ min: 0, max: 2_000 }) }),
    {
      maxLength: 20,
    },
  )
  fc.assert(
    fc.property(beats, (list) => {
      let elapsed = 0
      const sent = list.map(({ gap, active_seconds }) => {
        elapsed += gap
        return { at: elapsed, active_seconds }
      })
      const view = send(sent)
      const largest = Math.max(0, ...list.map(({ active_seconds }) => active_seconds))
      assert.ok(view.active_seconds <= largest && view.active_seconds <= elapsed + 5)
      assert.equal(send([...sent, ...sent.slice(-1)]).active_seconds >= view.active_seconds, true)
    }),
  )
})
