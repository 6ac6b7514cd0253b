import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activityOf, contextWith, daysAgo } from './assist.fixture.ts'
import { purposes, tones } from './assist.schemas.ts'
import { assertLanguageTag, checkSendable, defaultPurpose, writeFromTemplate } from './draft.rules.ts'

const outbound = (...days: number[]) => ({ outboundAt: days.map(daysAgo) })
const friendly = { purpose: 'intro', tone: 'friendly', length: 'short' } as const
const ann = { first_name: 'Ann', last_name: 'Moss', name: 'Ann Moss', company: 'Initech' }

test('the default purpose depends on the conversation so far', () => {
  const purpose = (others: object) => defaultPurpose(contextWith({}, others))

  assert.equal(purpose({}), 'intro')
  assert.equal(purpose({ lastReplyAt: daysAgo(1) }), 'intro')
  assert.equal(purpose(outbound(1, 2, 3)), 'follow_up')
  assert.equal(purpose(outbound(1, 2, 3, 4)), 'break_up')
  assert.equal(purpose({ ...outbound(1, 2, 3, 4), lastReplyAt: daysAgo(3.5) }), 'follow_up')
  assert.equal(purpose({ ...outbound(1, 2, 3, 4), lastReplyAt: daysAgo(5) }), 'break_up')
  assert.equal(purpose(outbound(30)), 'follow_up')
  assert.equal(purpose(outbound(31)), 're_engage')
  assert.equal(purpose(outbound(31, 32, 33, 34)), 'break_up')
})

test('every purpose, tone and length has its own deterministic text', () => {
  const call = activityOf('call', 3, { outcome: 'connected' })
  const context = contextWith(ann, { activities: [call] })
  const texts = new Set<string>()
  for (const purpose of purposes)
    for (const tone of tones)
      for (const length of ['short', 'medium'] as const) {
        const options = { purpose, tone, length }
        const email = writeFromTemplate(context, options)
        assert.deepEqual(writeFromTemplate(structuredClone(context), options), email)
        assert.match(email.subject, /Initech/)
        assert.match(email.body_text, /^.*Ann.*\n\n(.|\n)+\nGrace Hopper$/)
        assert.doesNotMatch(`${email.subject}${email.body_text}`, /undefined|null|\{| \n| {2}/)
        texts.add(email.body_text)
      }
  assert.equal(texts.size, purposes.length * tones.length * 2)
})

test('a short draft is the medium one without its middle paragraph', () => {
  const context = contextWith(ann)
  const [short, medium] = (['short', 'medium'] as const).map((length) =>
    writeFromTemplate(context, { ...friendly, length }).body_text.split('\n\n'),
  )
  assert.deepEqual(short, medium!.toSpliced(2, 1))
})

test('unknown data is not mentioned', () => {
  const { subject, body_text, grounded_on } = writeFromTemplate(
    contextWith({ last_name: null, name: null }, { ownerName: null }),
    friendly,
  )

  assert.equal(subject, 'Hello from us to your team')
  assert.match(body_text, /^Hi there,/)
  assert.match(body_text, /Best wishes$/)
  assert.deepEqual(grounded_on, [])
  const formal = writeFromTemplate(contextWith({ name: null, last_name: null }), { ...friendly, tone: 'formal' })
  assert.match(formal.body_text, /^Dear Sir or Madam,/)
})

test('a draft thanks for interactions but does not mention tracked activity', () => {
  const occasionFor = (...[type, fields]: [string, object?]) => {
    const last = activityOf(type, 1, fields)
    const { body_text, grounded_on } = writeFromTemplate(contextWith(ann, { activities: [last] }), friendly)
    return [/Thank you for (.*?)\./.exec(body_text)?.[1], grounded_on.includes(last.id)]
  }

  assert.deepEqual(occasionFor('call', { outcome: 'connected' }), ['our call', true])
  assert.deepEqual(occasionFor('meeting', { outcome: 'held' }), ['our meeting', true])
  assert.deepEqual(occasionFor('email_replied'), ['your email', true])
  assert.deepEqual(occasionFor('email'), ['your email', true])
  assert.deepEqual(occasionFor('message'), ['your message', true])
  assert.deepEqual(occasionFor('form_submitted'), ['getting in touch', true])
  assert.deepEqual(occasionFor('meeting_booked'), ['booking a meeting', true])
  assert.deepEqual(occasionFor('event_attended'), ['joining our event', true])
  for (const type of ['page_viewed', 'email_opened', 'note']) assert.deepEqual(occasionFor(type), [undefined, false])
  assert.deepEqual(occasionFor('email', { direction: 'out' }), [undefined, false])
})

test('grounded_on lists exactly the data that a draft uses', () => {
  const last = activityOf('email_replied', 1)
  const groundedOn = (purpose: 'intro' | 'break_up', tone: 'formal' | 'direct') =>
    writeFromTemplate(contextWith(ann, { activities: [last] }), { ...friendly, purpose, tone }).grounded_on

  assert.deepEqual(groundedOn('intro', 'formal'), ['first_name', 'last_name', 'company', 'owner', last.id])
  assert.deepEqual(groundedOn('break_up', 'direct'), ['first_name', 'company', 'owner'])
})

test('long company names are truncated, and line breaks in names are removed', () => {
  const company = `${'x'.repeat(150)}\nBcc: all@example.com`
  const { subject, body_text } = writeFromTemplate(contextWith({ company, first_name: 'Ann\r\nLee' }), friendly)

  assert.equal(subject.length, 120)
  assert.doesNotMatch(subject, /[\r\n]/)
  assert.match(body_text, /^Hi Ann Lee,\n/)
})

test('a draft is sendable only with a valid address and consent', () => {
  const reason = (lead: object, mode: 'opt_in' | 'opt_out' = 'opt_out') => {
    const context = contextWith({ email: 'a@b.example', ...lead })
    const { sendable, not_sendable_reason } = checkSendable({
      ...context,
      settings: { ...context.settings, consent: { ...context.settings.consent, mode } },
    })
    assert.equal(sendable, not_sendable_reason === null)
    return not_sendable_reason
  }

  assert.equal(reason({}), null)
  assert.equal(reason({ email: null, email_status: 'unsubscribed' }), 'no_email')
  for (const email_status of ['unsubscribed', 'complained']) assert.equal(reason({ email_status }), 'opted_out')
  assert.equal(reason({ email_status: 'bounced' }), 'bounced')
  assert.equal(reason({}, 'opt_in'), 'not_opted_in')
  assert.equal(reason({ email_status: 'subscribed' }, 'opt_in'), null)
})

test('language must be a BCP 47 tag', () => {
  for (const tag of ['en', 'de-CH', 'zh-Hant-TW']) assertLanguageTag(tag)
  for (const tag of ['english!', 'x', 'de_CH']) assert.throws(() => assertLanguageTag(tag), { status: 422 })
})
