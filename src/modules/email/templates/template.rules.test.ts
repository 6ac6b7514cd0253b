import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { listTemplateProblems, parseTemplate, templateVariables } from './parse-template.rules.ts'
import { toValueText } from './template.rules.ts'
import { renderTemplate } from './template-html.rules.ts'

const render = (text: string, values: Record<string, string | null>, format: 'text' | 'html' = 'text') =>
  renderTemplate(parseTemplate(text), values, format)
const textOf = (text: string, values: Record<string, string | null> = {}) => render(text, values)
const bodyOf = (text: string, values: Record<string, string | null> = {}) => {
  const rendered = render(text, values, 'html')
  assert.ok('content' in rendered)
  return /<body[^>]*>\n([\s\S]*)\n<\/body>/.exec(rendered.content)![1]!.replaceAll(' style="margin:0 0 16px"', '')
}

test('a template inserts values, uses fallbacks for empty ones and reports what is missing', () => {
  const text = 'Hi {{ first_name | there }}, {{company}} needs {{ custom.tier|our | best }}.'

  assert.deepEqual(templateVariables(parseTemplate(text)), ['first_name', 'company', 'custom.tier'])
  assert.deepEqual(textOf(text, { first_name: 'Ada', company: 'Acme' }), {
    content: 'Hi Ada, Acme needs our | best.',
  })
  assert.deepEqual(textOf(text, { first_name: ' ', company: 'Acme', 'custom.tier': 'gold' }), {
    content: 'Hi there, Acme needs gold.',
  })
  assert.deepEqual(textOf(text, { first_name: null, company: '' }), { missing: 'company' })
  assert.deepEqual(textOf('plain { text } with } single { braces', {}), {
    content: 'plain { text } with } single { braces',
  })
  assert.deepEqual(textOf('', {}), { content: '' })
})

test('malformed templates and unknown variables are reported with their position', () => {
  const problemsOf = (text: string) =>
    listTemplateProblems(parseTemplate(text), new Set(['first_name', 'title'])).map(({ position, code }) => [
      position,
      code,
    ])

  assert.deepEqual(problemsOf('Hi {{ first_name | there }}'), [])
  assert.deepEqual(problemsOf('Hi {{ nope }} and {{ neither | x }}'), [
    [4, 'unknown_variable'],
    [19, 'unknown_variable'],
  ])
  for (const [text, position] of [
    ['Hi {{ first_name', 4],
    ['Hi first_name }}', 15],
    ['{{ }}', 1],
    ['{{ | there }}', 1],
    ['{{ first_name | }}', 1],
    ['{{ first name }}', 1],
    ['{{ {{ title }} }}', 1],
    ['a {{ first_name\n| x }}', 3],
    ['{{{ title }}', 1],
    ['{{ title }}}}', 12],
    ['{{ __proto__ }}', 1],
    ['{{ Title }}', 1],
    ['{{ title | a } b }}', 1],
    ['{{ title() }}', 1],
    [`{{ ${'a'.repeat(51)} }}`, 1],
  ] as const)
    assert.deepEqual(problemsOf(text)[0], [position, 'malformed_template'], text)
  assert.deepEqual(problemsOf('{{ constructor }}'), [[1, 'unknown_variable']])
  assert.deepEqual(problemsOf('{{ title.constructor }}'), [[1, 'unknown_variable']])
})

test('values cannot add markup, variables or properties of objects', () => {
  assert.equal(
    bodyOf('Hi {{ first_name }}', { first_name: '<script>alert("1")</script> & \'x\'' }),
    '<p>Hi &lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;</p>',
  )
  assert.deepEqual(textOf('Hi {{ first_name }}', { first_name: '{{ email }}', email: 'ada@acme.example' }), {
    content: 'Hi {{ email }}',
  })
  assert.deepEqual(textOf('{{ constructor | safe }} {{ to_string | safe }}'), { content: 'safe safe' })
  assert.deepEqual(textOf('{{ first_name }}', { first_name: '$& $1 $`' }), { content: '$& $1 $`' })
  assert.equal(bodyOf('<b>{{ title }}</b>', { title: 'CEO' }), '<p>&lt;b&gt;CEO&lt;/b&gt;</p>')
})

test('blank lines are paragraphs, line breaks stay, and only http and https URLs are links', () => {
  assert.equal(
    bodyOf('One\ntwo\r\n \n\nThree https://acme.example/a?b=1&c=2. Four'),
    '<p>One<br>two</p>\n<p>Three <a href="https://acme.example/a?b=1&amp;c=2">https://acme.example/a?b=1&amp;c=2</a>. Four</p>',
  )
  assert.equal(
    bodyOf('Stop: {{ unsubscribe_url }}', { unsubscribe_url: 'https://acme.example/unsubscribe/x' }),
    '<p>Stop: <a href="https://acme.example/unsubscribe/x">Unsubscribe</a></p>',
  )
  for (const text of [
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://acme.example',
    'https://',
    'http:/acme.example',
  ])
    assert.equal(bodyOf(text), `<p>${text}</p>`)
  assert.equal(
    bodyOf('https://a.example/"onclick="x'),
    '<p><a href="https://a.example/">https://a.example/</a>&quot;onclick=&quot;x</p>',
  )
})

test('punctuation after a URL is not a part of it, balanced brackets are', () => {
  assert.deepEqual(linksIn('see (https://a.example/x), HTTPS://b.example/y_(z)! and <https://c.example>'), [
    'https://a.example/x',
    'HTTPS://b.example/y_(z)',
    'https://c.example',
  ])
  assert.deepEqual(textOf('a https://a.example.'), { content: 'a https://a.example.' })
})

/** Returns the URLs of the links in the HTML, and checks that the text has the same ones. */
function linksIn(text: string, values: Record<string, string | null> = {}): string[] {
  const urls = { text: [] as string[], html: [] as string[] }
  for (const format of ['text', 'html'] as const)
    renderTemplate(parseTemplate(text), values, format, {
      toUrl(url) {
        urls[format].push(url)
        return url
      },
    })
  const hrefs = [...bodyOf(text, values).matchAll(/<a href="([^"]*)"/g)].map(([, url]) => url!.replaceAll('&amp;', '&'))
  assert.deepEqual(urls, { text: hrefs, html: hrefs })
  return hrefs
}

test('a URL in a value of the person is plain text, a URL of the signature is a link', () => {
  const evil = 'https://evil.example/phish'

  assert.deepEqual(linksIn('Hi {{ first_name }}, see https://acme.example.', { first_name: evil }), [
    'https://acme.example',
  ])
  assert.equal(bodyOf('Hi {{ first_name }}', { first_name: evil }), `<p>Hi ${evil}</p>`)
  assert.deepEqual(textOf('Hi {{ first_name }}', { first_name: evil }), { content: `Hi ${evil}` })
  assert.deepEqual(linksIn('{{ company | https://fallback.example }}'), [])
  assert.deepEqual(linksIn('{{ sender.signature }}', { 'sender.signature': 'Ada\nhttps://acme.example/ada' }), [
    'https://acme.example/ada',
  ])
})

test('a value is encoded in the path and query of a link, and makes none of a URL whose host it would change', () => {
  const values = { company: 'A/B & c?#@evil.example', first_name: 'evil.example' }

  assert.deepEqual(linksIn('See https://acme.example/for/{{ company }}?name={{ first_name }}.', values), [
    'https://acme.example/for/A%2FB%20%26%20c%3F%23%40evil.example?name=evil.example',
  ])
  assert.deepEqual(linksIn('https://acme.example/?q={{ company }}', { company: '\ud800' }), [
    'https://acme.example/?q=%EF%BF%BD',
  ])
  for (const text of [
    'https://{{ first_name }}',
    'https://{{ first_name }}/path',
    'https:///{{ first_name }}/path',
    'https://acme.{{ first_name }}/path',
    'https://acme.example{{ first_name }}',
    'https://{{ first_name }}@acme.example/',
    'https://acme.example:{{ first_name }}/',
    'http{{ first_name }}://acme.example/',
    'https:/{{ first_name }}/acme.example',
  ])
    assert.deepEqual(linksIn(text, values), [], text)
  assert.equal(bodyOf('https://{{ first_name }}/a', values), '<p>https://evil.example/a</p>')
})

test('values never change the hosts of the links of a template', () => {
  const words = ['{{ a | x }}', '{{ b | c.example }}', 'HTTPS://acme.example', 'https://b.example/x', 'evil.example']
  const piece = fc.constantFrom(...words, 'https://', 'http:', '//', '\n\n', '%2F', ...' /:.@?#()8[\\<"')
  const value = fc.oneof(
    fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 12 }),
    fc.array(fc.constantFrom('https://evil.example', '/', '@', 'x', '.', ':', '//', 'http', '\u0000', '?', '\n\n'), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  const hostsOf = (text: string, values: Record<string, string>) =>
    linksIn(text, values).map((url) => new URL(url).host)

  fc.assert(
    fc.property(fc.array(piece, { maxLength: 10 }), value, value, (pieces, a, b) => {
      const text = pieces.join('')
      const values = { a: [a].flat().join(''), b: [b].flat().join('') }
      assert.deepEqual(hostsOf(text, values), hostsOf(text, { a: 'x', b: 'x' }))
    }),
    { numRuns: 500, seed: 12 },
  )
})

test('long hostile texts are rendered', () => {
  const pieces = ['{{', '}}', '{{ a |', 'https://', 'https://a.example/)', ')', '\n \n', '{{ a }}', '{']
  const texts = pieces.map((piece) => piece.repeat(20_000 / piece.length))

  for (const text of [...texts, `https://a.example/${')'.repeat(20_000)}`])
    assert.ok('content' in render(text, { a: '{{' }, 'html'))
})

test('values of custom fields are texts of one line', () => {
  const options = [{ key: 'gold', label: 'Gold plan', color: null, is_active: true }]

  assert.equal(toValueText('gold', { type: 'select', options }), 'Gold plan')
  assert.equal(toValueText(['gold', 'old'], { type: 'multi_select', options }), 'Gold plan, old')
  assert.equal(toValueText(true), 'yes')
  assert.equal(toValueText(1_200), '1200')
  assert.equal(toValueText({ amount: '12.50', currency: 'EUR' }), '12.50 EUR')
  assert.equal(toValueText('2026-03-04T05:06:07.000Z', { type: 'datetime', options: [] }), '2026-03-04')
  assert.equal(toValueText('Ada\r\nBcc: x'), 'Ada Bcc: x')
  assert.equal(toValueText(undefined), null)
})
