import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { renderMail } from './index.ts'

const workspace = { name: 'Acme' }
const allowedTags = ['body', 'table', 'tr', 'td', 'h1', 'p', 'a', 'br']

test('the text part contains title, paragraphs, link and footer', () => {
  const { text } = renderMail({
    workspace: { name: 'Acme', branding: { primary_color: '#112233', email_footer: 'Acme Inc., 1 Main St' } },
    title: 'You are invited',
    paragraphs: ['Ada invited you to Acme.', 'The link is good for 7 days.'],
    action: { label: 'Join Acme', url: 'https://acme.tributary.example/join#t=abc' },
    footer: 'If you did not expect this, ignore it.',
  })

  assert.equal(
    text,
    `You are invited

Ada invited you to Acme.

The link is good for 7 days.

Join Acme:
https://acme.tributary.example/join#t=abc

--${' '}
Acme
If you did not expect this, ignore it.
Acme Inc., 1 Main St
`,
  )
})

test('user input is escaped in HTML', () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror='alert(1)'>&amp;`

  const { html } = renderMail({
    workspace: { name: hostile, branding: { primary_color: 'red;background:url(//evil)', email_footer: hostile } },
    title: hostile,
    paragraphs: [hostile, `two\nlines`],
    action: { label: hostile, url: `https://acme.example/?q="><script>alert(1)</script>` },
    footer: hostile,
    language: hostile,
    preview: hostile,
    facts: [{ label: hostile, value: hostile }],
    scores: {
      links: [{ label: hostile, url: `https://acme.example/?q="><script>`, description: hostile }],
      low: hostile,
      high: hostile,
      note: hostile,
    },
    footerLink: { label: hostile, url: `https://acme.example/?q="><script>` },
  })

  assert.doesNotMatch(html, /<script|<img|onerror='|url\(/)
  assert.match(html, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/)
  assert.match(html, /two<br>lines/)
})

test('no input changes the HTML tags of the email', () => {
  const tagsOf = (html: string) => html.match(/<[^>]*>/g)?.map((tag) => tag.split(/[\s>]/)[0])
  const render = (text: string) =>
    renderMail({ workspace: { name: `w${text}` }, title: text, paragraphs: [text], footer: `f${text}` }).html
  const expected = tagsOf(render('x'))

  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', '/', '!', '-', 'a', ' ', '=') }), (text) => {
      assert.deepEqual(tagsOf(render(text)), expected)
    }),
  )
})

test('facts are a table in HTML and lines in the text', () => {
  const facts = [
    { label: 'Device', value: 'Firefox' },
    { label: 'IP address', value: '203.0.113.1' },
  ]
  const { text, html } = renderMail({ workspace, title: 'Hi', paragraphs: ['Hello'], facts })

  assert.match(text, /Hello\n\nDevice: Firefox\nIP address: 203\.0\.113\.1\n\n--/)
  assert.match(html, /<td class="strong fact"[^>]+>Device<\/td><td class="text fact"[^>]+>Firefox<\/td>/)
})

test('the HTML is made of tables with inline styles and loads no remote content', () => {
  const action = { label: 'Go', url: 'https://a.example/' }
  const { html } = renderMail({
    workspace,
    title: 'Hi',
    paragraphs: ['Hello'],
    facts: [{ label: 'Device', value: 'Firefox' }],
    action,
  })
  const body = html.slice(html.indexOf('<body'))
  const textTags = [...body.matchAll(/<(?:td|p|h1|a)\b[^>]*>(?=[^<\s&])/g)].map(([tag]) => tag)

  assert.deepEqual(new Set([...body.matchAll(/<([a-z0-9]+)/g)].map(([, tag]) => tag)), new Set(allowedTags))
  assert.ok(textTags.length > 5)
  for (const tag of textTags) assert.match(tag, / style="[^"]*color:#[0-9a-f]{6}/)
  for (const [table] of body.matchAll(/<table[^>]*>/g)) assert.match(table, /role="presentation"/)
  assert.match(html, /max-width:600px/)
  assert.match(
    html,
    /<meta name="color-scheme" content="light dark">.*@media \(prefers-color-scheme: dark\).*\[data-ogsc\]/s,
  )

  const urls = [...html.matchAll(/(?:src|href|url|@import)\W+(https?:[^"')\s]+)/g)].map(([, url]) => url)
  assert.deepEqual(urls, ['https://a.example/', 'https://a.example/'])
  assert.doesNotMatch(html, /<(img|link|script|iframe|object|video|audio|form)\b/)
})

test('numbers link to a form, and the text part has its link once', () => {
  const links = [0, 1].map((score) => ({
    label: `${score}`,
    url: `https://a.example/s/t?score=${score}`,
    description: `${score} out of 1`,
  }))
  const { text, html } = renderMail({
    workspace,
    language: 'de',
    title: 'Hallo',
    preview: 'Eine Frage',
    paragraphs: ['Wie war es?'],
    scores: { links, low: '0 = schlecht', high: '1 = gut', note: 'Ihre Zahl öffnet die Umfrage.' },
    action: { label: 'Umfrage öffnen', url: 'https://a.example/s/t' },
    footerLink: { label: 'Abmelden', url: 'https://a.example/unsubscribe/u' },
  })

  const urls = [...html.matchAll(/href="([^"]+)"/g)].map(([, url]) => url)
  assert.deepEqual(urls, [...links.map(({ url }) => url), 'https://a.example/s/t', 'https://a.example/unsubscribe/u'])
  assert.match(html, /<html lang="de">.+display:none[^>]+>Eine Frage<.+aria-label="1 out of 1".+1 = gut/s)
  assert.equal(
    text,
    `Hallo

Wie war es?

Umfrage öffnen:
https://a.example/s/t

--${' '}
Acme
Abmelden: https://a.example/unsubscribe/u
`,
  )
})

test('a link that is not an http or https URL is rejected', () => {
  for (const url of ['javascript:alert(1)', 'data:text/html,x', '/relative', '', 'file:///etc/passwd']) {
    const link = { label: 'Go', url }
    const scores = { links: [{ ...link, description: '' }], low: null, high: null, note: null }
    for (const links of [{ action: link }, { footerLink: link }, { scores }])
      assert.throws(() => renderMail({ workspace, title: 'Hi', paragraphs: [], ...links }), /http or https/)
  }
})

test('the button text has enough contrast on any brand color', () => {
  const inkFor = (primary_color: string) =>
    /color:(#[0-9a-f]{6});font-weight:600/.exec(
      renderMail({
        workspace: { name: 'Acme', branding: { primary_color } },
        title: 'Hi',
        paragraphs: [],
        action: { label: 'Go', url: 'https://a.example/' },
      }).html,
    )?.[1]

  assert.equal(inkFor('#ffee00'), '#15161c')
  assert.equal(inkFor('#FFFFFF'), '#15161c')
  assert.equal(inkFor('#000000'), '#ffffff')
  assert.equal(inkFor('#1f4fd8'), '#ffffff')
})
