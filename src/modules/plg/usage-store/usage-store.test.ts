// One suite for both stores: the PostgreSQL store, and the reference, which calculates every number from the events.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addDays } from '#platform/calendar'
import { listPeriods } from './periods.rules.ts'
import { type Harness, startUsageStores } from './usage-store.fixture.ts'

const stores = await startUsageStores()

const at = (day: string, time = '12:00') => `${day}T${time}:00Z`
const march = (day: number) => `2026-03-${String(day).padStart(2, '0')}`
const wholeMarch = { from: '2026-03-01', to: '2026-03-31' }

for (const [name, open] of Object.entries(stores))
  describe(`usage store: ${name}`, () => {
    test('an empty store has zeros and no medians', async () => {
      const { store } = open({})
      const periods = listPeriods('2026-03-25', 'week', 3)
      const funnel = {
        kind: 'person',
        steps: ['a', 'b'],
        since: new Date(0),
        until: new Date(),
        window_seconds: 60,
      } as const

      assert.deepEqual(await store.listDayNumbers({ kind: 'person', range: wholeMarch }), [])
      assert.deepEqual(await store.countDistinctActive({ kind: 'person', windows: [wholeMarch] }), [0])
      assert.deepEqual(await store.listTopEvents({ range: wholeMarch, limit: 10 }), [])
      assert.deepEqual(
        (await store.countFunnel({ ...funnel, steps: [...funnel.steps] })).map(({ count }) => count),
        [0, 0],
      )
      assert.deepEqual(await store.countRetention({ kind: 'person', granularity: 'week', periods }), [
        { size: 0, counts: [0, 0, 0] },
        { size: 0, counts: [0, 0] },
        { size: 0, counts: [0] },
      ])
      assert.deepEqual(
        await store.countActivation({ range: wholeMarch, today: '2026-03-31', events: ['a'], within_days: 7 }),
        { eligible: 0, activated: 0, pending: 0, median_days: null },
      )
    })

    test('an event counts once, in one batch and in later ones', async () => {
      const { send, store } = open({})
      const event = { name: 'a', at: at(march(1)), person: 'p1', event_id: 'same' }

      assert.equal(await send(event), 1)
      assert.equal(await send(event, { ...event, at: at(march(2)) }, { ...event, event_id: 'other' }), 1)
      assert.deepEqual(await store.listDayNumbers({ kind: 'person', range: wholeMarch }), [
        { day: march(1), active: 1, new_actors: 1, events: 2 },
      ])
    })

    test('days are local days, also when the clocks change', async () => {
      const cases = [
        ['Europe/Berlin', '2026-03-28T22:59:59.999Z', '2026-03-28'],
        ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29'],
        ['Europe/Berlin', '2026-03-29T21:59:59Z', '2026-03-29'],
        ['Europe/Berlin', '2026-03-29T22:00:00Z', '2026-03-30'],
        ['Europe/Berlin', '2026-10-25T22:59:59Z', '2026-10-25'],
        ['Europe/Berlin', '2026-10-25T23:00:00Z', '2026-10-26'],
        ['Pacific/Auckland', '2026-03-01T10:59:59Z', '2026-03-01'],
        ['Pacific/Auckland', '2026-03-01T11:00:00Z', '2026-03-02'],
      ]
      for (const [timezone, instant, day] of cases) {
        const { send, store } = open({ timezone: timezone! })
        await send({ name: 'a', at: instant!, person: 'p1' })
        const [numbers] = await store.listDayNumbers({
          kind: 'person',
          range: { from: '2026-01-01', to: '2026-12-31' },
        })
        assert.deepEqual([timezone, instant, numbers?.day], [timezone, instant, day])
      }
    })

    test('an event that is listed as inactive is counted, but does not make a person active', async () => {
      const { send, store } = open({ inactive_events: ['heartbeat'] })
      await send({ name: 'heartbeat', at: at(march(1)), person: 'p1' }, { name: 'a', at: at(march(3)), person: 'p1' })

      assert.deepEqual(await store.listDayNumbers({ kind: 'person', range: wholeMarch }), [
        { day: march(1), active: 0, new_actors: 0, events: 1 },
        { day: march(3), active: 1, new_actors: 1, events: 1 },
      ])
    })

    test('a late event moves the person to an earlier cohort', async () => {
      const { send, store } = open({})
      const periods = listPeriods(march(25), 'week', 4)
      await send({ name: 'a', at: at(march(18)), person: 'p1' }, { name: 'a', at: at(march(18)), person: 'p2' })
      await send({ name: 'a', at: at(march(3)), person: 'p1' })

      const cohorts = await store.countRetention({ kind: 'person', granularity: 'week', periods })

      assert.deepEqual(
        cohorts.map(({ size }) => size),
        [1, 0, 1, 0],
      )
      assert.deepEqual(cohorts[0]!.counts, [1, 0, 1, 0])
    })

    const weeks = { a: [1, 2, 3, 4], b: [1, 3], c: [1, 2], d: [2, 3, 4], e: [3], f: [4] }
    const exampleEvents = Object.entries(weeks).flatMap(([person, active]) =>
      active.map((week) => ({ name: 'used', at: at(addDays('2026-03-02', 7 * (week - 1) + 1)), person })),
    )

    test('growth has the numbers of the worked example', async () => {
      const { send, store } = open({})
      await send(...exampleEvents)

      assert.deepEqual(await store.countGrowth({ kind: 'person', buckets: listPeriods(march(25), 'week', 5) }), [
        { active: 3, new: 3, retained: 0, churned: 0 },
        { active: 3, new: 1, retained: 2, churned: 1 },
        { active: 4, new: 1, retained: 2, churned: 1 },
        { active: 3, new: 1, retained: 2, churned: 2 },
      ])
    })

    test('retention has the numbers of the worked example', async () => {
      const { send, store } = open({})
      await send(...exampleEvents)
      const periods = listPeriods(march(25), 'week', 4)

      assert.deepEqual(await store.countRetention({ kind: 'person', granularity: 'week', periods }), [
        { size: 3, counts: [3, 2, 2, 1] },
        { size: 1, counts: [1, 1, 1] },
        { size: 1, counts: [1, 0] },
        { size: 1, counts: [1] },
      ])
    })

    const steps = ['signed_up', 'project_created', 'invite_sent']
    const [signedUp, created, invited] = steps as [string, string, string]

    test('the funnel has the numbers of the worked example', async () => {
      const { send, store } = open({})
      await send(
        { person: 'p1', name: signedUp, at: at(march(1), '10:00') },
        { person: 'p1', name: created, at: at(march(1), '11:00') },
        { person: 'p1', name: invited, at: at(march(2), '11:00') },
        { person: 'p2', name: signedUp, at: at(march(1)) },
        { person: 'p2', name: created, at: at(march(10)) },
        { person: 'p3', name: signedUp, at: at(march(3), '09:00') },
        { person: 'p3', name: signedUp, at: at(march(5), '09:00') },
        { person: 'p3', name: created, at: at(march(5), '09:30') },
        { person: 'p4', name: created, at: at(march(4)) },
        { person: 'p4', name: signedUp, at: at(march(6)) },
        { person: 'p5', name: signedUp, at: at(march(7), '08:00') },
        { person: 'p5', name: invited, at: at(march(7), '09:00') },
        { person: 'p5', name: created, at: at(march(7), '10:00') },
      )
      const query = { kind: 'person', since: new Date(at(march(1), '00:00')), window_seconds: 7 * 86_400 } as const

      const counts = await store.countFunnel({ ...query, steps, until: new Date(at(march(12), '00:00')) })

      assert.deepEqual(counts, [
        { count: 5, in_progress: 1, median_seconds_from_previous: null, median_seconds_from_start: null },
        { count: 3, in_progress: 2, median_seconds_from_previous: 3600, median_seconds_from_start: 3600 },
        { count: 1, in_progress: 0, median_seconds_from_previous: 86_400, median_seconds_from_start: 90_000 },
      ])
    })

    test('one event serves one step, and events of one millisecond are ordered as sent', async () => {
      const query = { kind: 'person', steps: ['x', 'x'], window_seconds: 3_600 } as const
      const range = { since: new Date(at(march(1), '00:00')), until: new Date(at(march(2), '00:00')) }
      const countsOf = async ({ store }: Harness, order: string[]) =>
        (await store.countFunnel({ ...query, ...range, steps: order })).map(({ count }) => count)
      const [once, twice] = [open({}), open({})]
      await once.send({ name: 'x', at: at(march(1)), person: 'p1' })
      await twice.send({ name: 'x', at: at(march(1)), person: 'p1' }, { name: 'x', at: at(march(1)), person: 'p1' })
      const sent = open({})
      await sent.send({ name: 'a', at: at(march(1)), person: 'p1' }, { name: 'b', at: at(march(1)), person: 'p1' })

      assert.deepEqual(await countsOf(once, ['x', 'x']), [1, 0])
      assert.deepEqual(await countsOf(twice, ['x', 'x']), [1, 1])
      assert.deepEqual(await countsOf(sent, ['a', 'b']), [1, 1])
      assert.deepEqual(await countsOf(sent, ['b', 'a']), [1, 0])
    })

    test('activation counts people whose time is over and who did every event in time', async () => {
      const { send, store } = open({})
      await send(
        ...['p1', 'p2', 'p3', 'p4'].map((person) => ({ name: 'a', at: at(march(1)), person })),
        { name: 'b', at: at(march(1)), person: 'p1' },
        { name: 'b', at: at(march(4)), person: 'p2' },
        { name: 'b', at: at(march(5)), person: 'p3' },
        { name: 'a', at: at(march(9)), person: 'p5' },
      )
      const query = { range: wholeMarch, events: ['a', 'b'], within_days: 3 }

      assert.deepEqual(await store.countActivation({ ...query, today: march(10) }), {
        eligible: 4,
        activated: 2,
        pending: 1,
        median_days: 1.5,
      })
      assert.deepEqual((await store.countActivation({ ...query, today: march(4) })).eligible, 0)
    })

    test('events, days and people of an account are measured in a range of days', async () => {
      const { send, store, idOf } = open({})
      await send(
        ...[1, 1, 2].map((day) => ({
          name: 'project_created',
          at: at(march(day)),
          person: 'p-1',
          account: 'account-1',
        })),
        { name: 'invite_sent', at: at(march(2)), person: 'p-1', account: 'account-1' },
        { name: 'invite_sent', at: at(march(2)), person: 'q-1', account: 'account-1' },
        { name: 'invite_sent', at: at(march(9)), person: 'r-1', account: 'account-1' },
      )
      const query = {
        kind: 'account',
        actor_ids: [idOf('account-1')],
        range: { from: march(1), to: march(7) },
      } as const
      const measure = async (event: string | null) => {
        const [found] = await store.measureActors({ ...query, actor_ids: [...query.actor_ids], name: event })
        return [found?.events, found?.days, found?.people]
      }

      assert.deepEqual(await measure('project_created'), [3, 2, 1])
      assert.deepEqual(await measure('invite_sent'), [2, 1, 2])
      assert.deepEqual(await measure(null), [5, 2, 2])
      assert.deepEqual(await measure('never'), [0, 0, 0])
    })

    test('the timeline is read page by page, and erasure deletes properties but no numbers', async () => {
      const { send, store, idOf } = open({})
      await send(
        ...[1, 2, 2, 3].map((day, n) => ({ name: `n${n}`, at: at(march(day)), person: 'p1', properties: { n } })),
      )
      const query = { actor_id: idOf('p1'), kind: 'person', limit: 2 } as const

      const first = await store.listTimeline(query)
      const second = await store.listTimeline({ ...query, before: first.at(-1)! })
      const erased = [
        await store.eraseProperties(idOf('p1'), 'person', 3),
        await store.eraseProperties(idOf('p1'), 'person', 3),
      ]

      assert.deepEqual(
        [...first, ...second].map((event) => [event.name, event.properties]),
        [3, 2, 1, 0].map((n) => [`n${n}`, { n }]),
      )
      assert.deepEqual(erased, [3, 1])
      assert.ok((await store.listTimeline(query)).every(({ properties }) => properties === null))
      assert.equal((await store.listDayNumbers({ kind: 'person', range: wholeMarch })).length, 3)
    })
  })

test('tenants do not share events', async () => {
  const [acme, other] = [stores.PostgreSQL({}), stores.PostgreSQL({})]
  const event = { name: 'a', at: at(march(1)), person: 'p1', event_id: 'same' }

  assert.deepEqual([await acme.send(event), await other.send(event)], [1, 1])
  assert.deepEqual(await acme.store.countDistinctActive({ kind: 'person', windows: [wholeMarch] }), [1])
  assert.deepEqual(await acme.store.listTimeline({ actor_id: other.idOf('p1'), kind: 'person', limit: 5 }), [])
})
