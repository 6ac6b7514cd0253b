import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { renderMail } from './index.ts'

const workspace = { name: 'Acme' }

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

test('the HTML loads no remote content', () => {
  const { html } = renderMail({
    workspace,
    title: 'Hi',
    paragraphs: ['Hello'],
    action: { label: 'Go', url: 'https://a.example/' },
  })

  const urls = [...html.matchAll(/(?:src|href|url|@import)\W+(https?:[^"')\s]+)/g)].map(([, url]) => url)
  assert.deepEqual(urls, ['https://a.example/', 'https://a.example/'])
  assert.doesNotMatch(html, /<(img|link|script|iframe|object|video|audio|form)\b/)
})

test('a link that is not an http or https URL is rejected', () => {
  for (const url of ['javascript:alert(1)', 'data:text/html,x', '/relative', '', 'file:///etc/passwd'])
    assert.throws(
      () => renderMail({ workspace, title: 'Hi', paragraphs: [], action: { label: 'Go', url } }),
      /http or https/,
    )
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

  assert.equal(inkFor('#ffee00'), '#000000')
  assert.equal(inkFor('#FFFFFF'), '#000000')
  assert.equal(inkFor('#000000'), '#ffffff')
  assert.equal(inkFor('#1f4fd8'), '#ffffff')
})
