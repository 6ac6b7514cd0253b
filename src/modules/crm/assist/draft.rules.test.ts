import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAgo, materialWith, moment } from './assist.fixture.ts'
import { purposes, tones } from './assist.schemas.ts'
import { assertLanguage, sendability, usualPurpose, writeByRules } from './draft.rules.ts'

const touched = (...days: number[]) => ({ touchedAt: days.map(daysAgo) })
const friendly = { purpose: 'intro', tone: 'friendly', length: 'short' } as const
const ann = { first_name: 'Ann', last_name: 'Moss', name: 'Ann Moss', company: 'Initech' }

test('what a mail is for follows from what was written so far', () => {
  const purpose = (others: object) => usualPurpose(materialWith({}, others))

  assert.equal(purpose({}), 'intro')
  assert.equal(purpose({ answeredAt: daysAgo(1) }), 'intro')
  assert.equal(purpose(touched(1, 2, 3)), 'follow_up')
  assert.equal(purpose(touched(1, 2, 3, 4)), 'break_up')
  assert.equal(purpose({ ...touched(1, 2, 3, 4), answeredAt: daysAgo(3.5) }), 'follow_up')
  assert.equal(purpose({ ...touched(1, 2, 3, 4), answeredAt: daysAgo(5) }), 'break_up')
  assert.equal(purpose(touched(30)), 'follow_up')
  assert.equal(purpose(touched(31)), 're_engage')
  assert.equal(purpose(touched(31, 32, 33, 34)), 'break_up')
})

test('there is a text of its own for every purpose, tone and length, and the same facts give the same text', () => {
  const call = moment('call', 3, { outcome: 'connected' })
  const material = materialWith(ann, { moments: [call] })
  const texts = new Set<string>()
  for (const purpose of purposes)
    for (const tone of tones)
      for (const length of ['short', 'medium'] as const) {
        const wish = { purpose, tone, length }
        const letter = writeByRules(material, wish)
        assert.deepEqual(writeByRules(structuredClone(material), wish), letter)
        assert.match(letter.subject, /Initech/)
        assert.match(letter.body_text, /^.*Ann.*\n\n(.|\n)+\nGrace Hopper$/)
        assert.doesNotMatch(`${letter.subject}${letter.body_text}`, /undefined|null|\{| \n| {2}/)
        texts.add(letter.body_text)
      }
  assert.equal(texts.size, purposes.length * tones.length * 2)
})

test('a short draft is the longer one without its middle', () => {
  const material = materialWith(ann)
  const [short, medium] = (['short', 'medium'] as const).map((length) =>
    writeByRules(material, { ...friendly, length }).body_text.split('\n\n'),
  )
  assert.deepEqual(short, medium!.toSpliced(2, 1))
})

test('nothing is said that is not known', () => {
  const { subject, body_text, grounded_on } = writeByRules(
    materialWith({ last_name: null, name: null }, { owner: null }),
    friendly,
  )

  assert.equal(subject, 'Hello from us to your team')
  assert.match(body_text, /^Hi there,/)
  assert.match(body_text, /Best wishes$/)
  assert.deepEqual(grounded_on, [])
  const formal = writeByRules(materialWith({ name: null, last_name: null }), { ...friendly, tone: 'formal' })
  assert.match(formal.body_text, /^Dear Sir or Madam,/)
})

test('people are thanked for what they did with us, and not told that they were watched', () => {
  const written = (...[type, more]: [string, object?]) => {
    const last = moment(type, 1, more)
    const { body_text, grounded_on } = writeByRules(materialWith(ann, { moments: [last] }), friendly)
    return [/Thank you for (.*?)\./.exec(body_text)?.[1], grounded_on.includes(last.id)]
  }

  assert.deepEqual(written('call', { outcome: 'connected' }), ['our call', true])
  assert.deepEqual(written('meeting', { outcome: 'held' }), ['our meeting', true])
  assert.deepEqual(written('email_replied'), ['your e-mail', true])
  assert.deepEqual(written('email'), ['your e-mail', true])
  assert.deepEqual(written('message'), ['your message', true])
  assert.deepEqual(written('form_submitted'), ['getting in touch', true])
  assert.deepEqual(written('meeting_booked'), ['booking a meeting', true])
  assert.deepEqual(written('event_attended'), ['joining our event', true])
  for (const type of ['page_viewed', 'email_opened', 'note']) assert.deepEqual(written(type), [undefined, false])
  assert.deepEqual(written('email', { direction: 'out' }), [undefined, false])
})

test('a draft names what it speaks of, and no more', () => {
  const last = moment('email_replied', 1)
  const grounds = (purpose: 'intro' | 'break_up', tone: 'formal' | 'direct') =>
    writeByRules(materialWith(ann, { moments: [last] }), { ...friendly, purpose, tone }).grounded_on

  assert.deepEqual(grounds('intro', 'formal'), ['first_name', 'last_name', 'company', 'owner', last.id])
  assert.deepEqual(grounds('break_up', 'direct'), ['first_name', 'company', 'owner'])
})

test('a long company and a name in two lines fit into a subject and a greeting', () => {
  const company = `${'x'.repeat(150)}\nBcc: all@example.com`
  const { subject, body_text } = writeByRules(materialWith({ company, first_name: 'Ann\r\nLee' }), friendly)

  assert.equal(subject.length, 120)
  assert.doesNotMatch(subject, /[\r\n]/)
  assert.match(body_text, /^Hi Ann Lee,\n/)
})

test('whether a draft may be sent goes by what the person wants', () => {
  const reason = (lead: object, mode: 'opt_in' | 'opt_out' = 'opt_out') => {
    const material = materialWith({ email: 'a@b.example', ...lead })
    const { sendable, not_sendable_reason } = sendability({
      ...material,
      settings: { ...material.settings, consent: { ...material.settings.consent, mode } },
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

test('a language is named by a tag', () => {
  for (const tag of ['en', 'de-CH', 'zh-Hant-TW']) assertLanguage(tag)
  for (const tag of ['english!', 'x', 'de_CH']) assert.throws(() => assertLanguage(tag), { status: 422 })
})
