import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PublicRoomItem, PublicStep } from '../visits/visits.schemas.ts'
import { describeProgress } from './item-progress.ts'
import { countSteps, describeDue, findNextStep, formatDay } from './page-dates.rules.ts'
import { englishTexts } from './texts/english-texts.ts'
import { germanTexts } from './texts/german-texts.ts'
import { createVisitCookies } from './visit-cookies.ts'

const step = (title: string, side: PublicStep['side'], status: PublicStep['status']): PublicStep => ({
  id: title,
  title,
  description: null,
  side,
  assignee_name: null,
  due_on: null,
  status,
})

test('the next step is the first of the buyer that is neither done nor cancelled', () => {
  const steps = [
    step('Kick-off', 'seller', 'todo'),
    step('Requirements', 'buyer', 'done'),
    step('Visit', 'buyer', 'cancelled'),
    step('Contract', 'buyer', 'in_progress'),
    step('Decision', 'buyer', 'todo'),
  ]

  assert.equal(findNextStep(steps)?.title, 'Contract')
  assert.equal(findNextStep(steps.slice(0, 3)), undefined)
  assert.deepEqual(countSteps(steps), { done: 1, total: 4 })
})

test('the badge of a step says when it is due, or how late it is', () => {
  const badgeOf = (dueOn: string) =>
    Object.values(describeDue(dueOn, '2026-11-16', { locale: 'en-GB', late: englishTexts.plan.late }))

  assert.deepEqual(badgeOf('2026-11-16'), ['today', 'soon'])
  assert.deepEqual(badgeOf('2026-11-17'), ['tomorrow', 'soon'])
  assert.deepEqual(badgeOf('2026-11-18'), ['in 2 days', 'soon'])
  assert.deepEqual(badgeOf('2026-11-28'), ['in 12 days', 'later'])
  assert.deepEqual(badgeOf('2026-12-07'), ['in 3 weeks', 'later'])
  assert.deepEqual(badgeOf('2027-02-16'), ['in 3 months', 'later'])
  assert.deepEqual(badgeOf('2030-01-31'), ['in 3 years', 'later'])
  assert.deepEqual(badgeOf('2026-11-14'), ['2 days late', 'late'])
  assert.deepEqual(
    describeDue('2026-11-15', '2026-11-16', { locale: 'de', late: germanTexts.plan.late }).text,
    '1 Tag überfällig',
  )
})

test('days are written as in the region of the visitor, with the year only if it is another one', () => {
  const style = { length: 'short', hasWeekday: true, today: '2026-11-16' } as const

  assert.equal(formatDay('2026-11-18', 'en-GB', style), 'Wed 18 Nov')
  assert.equal(formatDay('2027-01-04', 'en-US', { ...style, hasWeekday: false }), 'Jan 4, 2027')
  assert.equal(formatDay('2026-11-18', 'de', { ...style, length: 'long' }), 'Mittwoch, 18. November')
})

test('a card says what the visitor has read or watched', () => {
  const context = { texts: englishTexts } as Parameters<typeof describeProgress>[1]
  const describe = (mediaType: string | null, length: Partial<PublicRoomItem>, progress?: number) => {
    const visitor = progress === undefined ? null : { progress, page: 9, seen_at: '2026-11-16T00:00:00Z' }
    const item = { media_type: mediaType, link_url: 'https://example.com', page_count: null, duration_seconds: null }
    return describeProgress({ ...item, ...length, visitor } as PublicRoomItem, context).text
  }
  const pdf = ['application/pdf', { page_count: 14 }] as const
  const video = ['video/mp4', { duration_seconds: 400 }] as const

  assert.equal(describe(...pdf), 'Not opened yet')
  assert.equal(describe(...pdf, 9 / 14), '9 of 14 pages read')
  assert.equal(describe(...pdf, 1), 'Read to the end')
  assert.equal(describe(...video, 270 / 400), '4:30 of 6:40 watched')
  assert.equal(describe(...video, 1), 'Watched to the end')
  assert.equal(describe(null, {}, 0), 'Opened')
})

test('cookies of a visit have a prefix over HTTPS and none over HTTP', () => {
  const [https, http] = [createVisitCookies({ APP_SCHEME: 'https' }), createVisitCookies({ APP_SCHEME: 'http' })]
  const request = (cookie: string) => ({ headers: { cookie }, params: { share_token: 'abc' } })
  const tokens = { visitToken: 'v', visitorToken: 'w' }
  const sent = request('room_visit=old; __Secure-room_visit=new; room_visitor=known')

  assert.deepEqual(https.format(sent, tokens), [
    '__Secure-room_visit=v; Max-Age=43200; Path=/r/abc; HttpOnly; SameSite=Lax; Secure',
    '__Secure-room_visitor=w; Max-Age=15552000; Path=/r/abc; HttpOnly; SameSite=Lax; Secure',
  ])
  assert.deepEqual(http.format(sent, tokens), [
    'room_visit=v; Max-Age=43200; Path=/r/abc; HttpOnly; SameSite=Lax',
    'room_visitor=w; Max-Age=15552000; Path=/r/abc; HttpOnly; SameSite=Lax',
  ])
  assert.deepEqual([https.read(sent, 'room_visit'), http.read(sent, 'room_visit')], ['new', 'old'])
  assert.equal(https.read(request('__Secure-room_visit=; room_visit=old'), 'room_visit'), '')
  assert.equal(http.read(request('__Secure-room_visit=new'), 'room_visit'), undefined)
  assert.equal(https.read(sent, 'room_visitor'), 'known')
  const expired = (name: string) => `${name}=; Max-Age=0; Path=/r/abc; HttpOnly; SameSite=Lax`
  assert.deepEqual(https.expireVisit(sent), [`${expired('__Secure-room_visit')}; Secure`, expired('room_visit')])
  assert.deepEqual(http.expireVisit(sent), [expired('room_visit')])
  assert.deepEqual(https.expireVisit(request('room_visitor=known')), [])
})
