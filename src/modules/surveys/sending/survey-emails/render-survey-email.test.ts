import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SurveyRow } from '../../design/survey-records/survey-row.ts'
import { replacePlaceholders } from './email-texts.rules.ts'
import { renderSurveyEmail, type SurveyEmailInput } from './render-survey-email.ts'

const survey = {
  id: 's',
  name: 'Internal name',
  survey_type: 'nps',
  status: 'active',
  anonymous: false,
  closes_at: null,
  default_language: 'en',
  languages: ['en', 'de', 'sv'],
  intro: {},
  email: {},
} as unknown as SurveyRow
const question = {
  survey_id: 's',
  question_type: 'nps',
  title: { en: 'How likely are you to recommend us?', de: 'Wie wahrscheinlich empfehlen Sie uns?' },
  rules: { labels: { low: { en: 'not at all likely' }, high: { en: 'very likely', de: 'sehr wahrscheinlich' } } },
}
const render = (changes: Partial<SurveyEmailInput> = {}) =>
  renderSurveyEmail({
    survey,
    question,
    recipients: 12,
    isReminder: false,
    unapproved: [],
    ownDomains: ['f.example'],
    firstName: 'Ingrid',
    postalAddress: 'Hamngatan 4\nMalmö',
    invitation: { language: 'en', expires_at: new Date('2026-11-30T12:00:00Z') },
    distribution: { subject: null, message: null },
    workspace: { name: 'Fernhill', branding: { primary_color: '#f26b1d' } },
    timezone: 'Europe/Stockholm',
    surveyUrl: 'https://f.example/s/token',
    unsubscribeUrl: 'https://f.example/unsubscribe/u',
    ...changes,
  })

test('an invitation has the numbers of the score, one link in the text and the end of the survey', () => {
  const { subject, text, html } = render()

  assert.equal(subject, 'How likely are you to recommend us?')
  assert.equal(
    text,
    `How likely are you to recommend us?

Hello Ingrid,

please take a moment to answer our questions.

Open the survey:
https://f.example/s/token

--${' '}
Fernhill
Hamngatan 4
Malmö
The survey is open until November 30, 2026.
Unsubscribe from surveys: https://f.example/unsubscribe/u
`,
  )
  const urls = [...html!.matchAll(/href="([^"]+)"/g)].map(([, url]) => url)
  assert.equal(urls.length, 11 + 1 + 1)
  assert.equal(urls[10], 'https://f.example/s/token?score=10')
  assert.ok(html!.includes('0 = not at all likely') && html!.includes('10 = very likely'))
  assert.ok(!html!.includes('Internal name'))
})

test('engagement-1-13 the language of the invitation decides, and missing texts are those of the default language', () => {
  const invitation = { language: 'de', expires_at: new Date('2026-11-30T12:00:00Z') }
  const { subject, text, html } = render({ invitation })

  assert.equal(subject, 'Wie wahrscheinlich empfehlen Sie uns?')
  assert.match(html!, /<html lang="de">/)
  assert.match(text, /Guten Tag Ingrid,.*Umfrage öffnen:.*bis 30. November 2026 offen/s)
  assert.ok(html!.includes('0 = not at all likely') && html!.includes('10 = sehr wahrscheinlich'))
  const swedish = render({ invitation: { ...invitation, language: 'sv' } })
  assert.equal(swedish.subject, 'How likely are you to recommend us?')
  assert.match(swedish.text, /open until November 30, 2026/)
})

test('the texts of the distribution come before those of the survey, with names and links filled in', () => {
  const email = {
    subject: { en: 'Your opinion' },
    body: { en: 'From the survey' },
    from_name: 'Ada',
    reply_to: 'a@f.example',
  }
  const distribution = {
    subject: 'Hi {{first_name}}',
    message: 'Dear {{ first_name }},\r\n\r\nsee {{survey_link}}\nBye',
  }
  const own = render({ survey: { ...survey, email } as SurveyRow, distribution })
  const ofSurvey = render({ survey: { ...survey, email } as SurveyRow })

  assert.deepEqual([own.subject, own.fromName, own.replyTo], ['Hi Ingrid', 'Ada', 'a@f.example'])
  assert.match(own.text, /Dear Ingrid,\n\nsee https:\/\/f\.example\/s\/token\nBye\n\nHow likely are you/)
  assert.equal(ofSurvey.subject, 'Your opinion')
  assert.match(ofSurvey.text, /From the survey/)
})

test('a sender that is not allowed is replaced, and links of the survey page and of names are left out', () => {
  const email = { subject: {}, body: {}, from_name: 'Bank Security', reply_to: 'x@evil.example' }
  const linked = { en: 'See https://evil.example/login' }
  const { subject, text, html, fromName, replyTo } = render({
    survey: { ...survey, email, intro: linked } as SurveyRow,
    question: { ...question, title: linked, rules: { labels: { low: linked, high: { en: 'See f.example' } } } },
    unapproved: ['from_name', 'reply_to'],
    firstName: 'www.evil.example/login',
  })

  assert.deepEqual([subject, fromName, replyTo], ['We would like your opinion', null, null])
  assert.match(text, /^We would like your opinion\n\nHello,\n\nplease take a moment/)
  assert.doesNotMatch(`${text}${html}`, /evil/)
  assert.match(html!, /10 = See f\.example/)
})

test('hostile texts stay texts', () => {
  const message = '<script>alert(1)</script> {{first_name}}'
  const { html } = render({ distribution: { subject: null, message }, firstName: '<img src=x>' })

  assert.doesNotMatch(html!, /<script>|<img/)
  assert.equal(
    replacePlaceholders('{{first_name | friend }} {{other}}', { first_name: null, survey_link: 'x' }),
    'friend {{other}}',
  )
})

test('a reminder of an anonymous survey goes to all recipients, so it says what to do after an answer', () => {
  const { subject, text } = render({ isReminder: true, survey: { ...survey, anonymous: true } })

  assert.equal(subject, 'Reminder: How likely are you to recommend us?')
  assert.match(
    text,
    /Your answers are anonymous\. Recipients of this survey: at least 12\.\n\nIf you have already answered/,
  )
  assert.doesNotMatch(render({ isReminder: true }).text, /already answered/)
})

test('a survey without a score has no numbers, and the earlier end counts', () => {
  const closing = { ...survey, closes_at: new Date('2026-11-10T12:00:00Z') }
  const { subject, text, html } = render({ question: undefined, survey: closing, firstName: null })

  assert.equal(subject, 'We would like your opinion')
  assert.match(text, /^We would like your opinion\n\nHello,\n/)
  assert.match(text, /open until November 10, 2026/)
  assert.doesNotMatch(html!, /class="score"/)
})
