import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { AppError } from '#platform/errors'
import { checkBudget, costOf } from './budget.ts'
import {
  markdownVersion,
  nameMentions,
  parseMarkdown as parse,
  renderMarkdown as renderAsync,
  renderStoredMarkdown,
} from './index.ts'
import { keepMentions } from './mentions.ts'
import { parseText } from './parse-text.ts'

const parseMarkdown = (text: string) => parse(text, { key: 'acme' })

/** Renders in this thread, whatever the text costs. */
function renderMarkdown(text: string): string {
  const parsed = parseText(text)
  return 'html' in parsed ? keepMentions(parsed.html, new Set()) : ''
}

const allowed =
  /^<(\/?(p|strong|em|del|code|pre|blockquote|ul|ol|li|h[3-6]|table|thead|tbody|tr|th|td)|br|hr|th align="(left|center|right)"|td align="(left|center|right)"|\/a|a href="(https?:\/\/|mailto:)[^"<>\s]+" rel="nofollow ugc noopener")>$/i
const tagsIn = (html: string) => html.match(/<[^>]*>?/g) ?? []

function assertSafe(html: string): void {
  for (const tag of tagsIn(html)) assert.match(tag, allowed, html)
}

test('formatting, lists, tables and code are rendered; headings begin at level 3', () => {
  assert.equal(
    renderMarkdown('# Title\n\n**b** *i* ~~s~~ `c`'),
    '<h3>Title</h3>\n<p><strong>b</strong> <em>i</em> <del>s</del> <code>c</code></p>\n',
  )
  assert.equal(renderMarkdown('##### Small'), '<h6>Small</h6>\n')
  assert.equal(renderMarkdown('```js\n<b>\n```'), '<pre><code>&lt;b&gt;\n</code></pre>\n')
  assert.match(renderMarkdown('| a | b |\n|:-|-:|\n| 1 | 2 |'), /<th align="left">a<\/th>\n<th align="right">b<\/th>/)
  assert.equal(renderMarkdown('3. x'), '<ol>\n<li>x</li>\n</ol>\n')
  assert.equal(markdownVersion, 1)
})

test('links have a safe rel and one of three schemes', () => {
  const link = (url: string) => `<p><a href="${url}" rel="nofollow ugc noopener">x</a></p>\n`

  assert.equal(renderMarkdown('[x](https://example.com/?a=1&b=2 "title")'), link('https://example.com/?a=1&amp;b=2'))
  assert.equal(renderMarkdown('[x](mailto:a@example.com)'), link('mailto:a@example.com'))
  assert.match(renderMarkdown('see https://example.com/a.'), /<a href="https:\/\/example.com\/a" rel=/)
  assert.match(renderMarkdown('<https://example.com>'), /<a href="https:\/\/example.com" rel=/)
  assert.equal(renderMarkdown('[x]() and [*y*]()'), '<p>x and <em>y</em></p>\n')
})

test('images become links, or text within a link', () => {
  const href = 'href="https://example.com/i.png"'

  assert.equal(
    renderMarkdown('![alt](https://example.com/i.png)'),
    `<p><a ${href} rel="nofollow ugc noopener">alt</a></p>\n`,
  )
  assert.equal(
    renderMarkdown('[![alt](https://example.com/i.png)](https://example.org)'),
    '<p><a href="https://example.org" rel="nofollow ugc noopener">alt</a></p>\n',
  )
})

test('mentions of known ids are links without formatting, others are plain text', async () => {
  const [known, unknown] = ['0190a0aa-0000-7000-8000-00000000000a', '0190a0aa-0000-7000-8000-00000000000b']
  const text = `Hi [@**Ann** Lee](mention:${known.toUpperCase()}) and [@Bob](mention:${unknown})`
  const rel = 'rel="nofollow ugc noopener"'

  const document = await parseMarkdown(text)
  const html = document.toHtml(new Set([known]))

  assert.deepEqual(document.mentionedIds, [known, unknown])
  assert.equal(document.text, 'Hi @Ann Lee and @Bob')
  assert.equal(html, `<p>Hi <a href="mention:${known}" ${rel}>@Ann Lee</a> and @Bob</p>\n`)
  assert.equal(renderMarkdown(text), '<p>Hi @Ann Lee and @Bob</p>\n')
  assert.equal(
    nameMentions(html, () => '<b>', { isLinked: false }),
    '<p>Hi @&lt;b&gt; and @Bob</p>\n',
  )
  const shown = nameMentions(html, () => 'Ann Ray', { isLinked: true })
  assert.equal(shown, `<p>Hi <a href="mention:${known}" ${rel}>@Ann Ray</a> and @Bob</p>\n`)
  for (const other of [`<mention:${known}>`, `![x](mention:${known})`, '[x](mention:me)', '[x](mention:)'])
    assert.doesNotMatch((await parseMarkdown(other)).toHtml(new Set([known])), /href="mention/, other)
})

test('the text of a document has no formatting', async () => {
  const text = '# Title\n\n- one\n- **two** [link](https://example.com)\n\n```\ncode\n```\n\na\nb'

  assert.equal((await parseMarkdown(text)).text, 'Title\none\ntwo link\ncode\na b')
})

const hostile = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<!-- --><iframe src="javascript:alert(1)">',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java\tscript:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](javascript&colon;alert(1))',
  '[x](%6aavascript:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](vbscript:msgbox)',
  '[x](file:///etc/passwd)',
  '[x](//evil.example)',
  '[x](/relative)',
  '[x](#fragment)',
  '[x](<javascript:alert(1)>)',
  '![x](javascript:alert(1))',
  '![x](data:image/svg+xml;base64,AAAA)',
  '<javascript:alert(1)>',
  '[x]: javascript:alert(1)\n\n[x]',
  '[x](https://example.com" onmouseover="alert(1))',
  '[x](https://example.com "t\\" onclick=\\"alert(1)")',
  '[x](https://example.com\u0000javascript:)',
  '```"><script>alert(1)</script>\nx\n```',
  '``` x onload=alert(1)\ny\n```',
  '`</code><script>alert(1)</script>`',
  '| <script> |\n|---|\n| <img src=x> |',
  '|a|\n|:-:|\n|[x](javascript:1)|',
  '\\<script>alert(1)\\</script>',
  '&lt;script&gt;&#60;script&#62;',
  '**<b onclick=x>**',
  '[a](https://x.example)[b](javascript:x)![c](https://x.example/"onerror=1)',
  'https://example.com/<script>',
  '<https://example.com/"onclick=alert(1)>',
  '[x](mention:0190a0aa-0000-7000-8000-00000000000a"onclick=alert(1))',
  '[@<script>](mention:0190a0aa-0000-7000-8000-00000000000a)',
]

for (const text of hostile)
  test(`hostile Markdown is rendered safely: ${JSON.stringify(text)}`, () => {
    assertSafe(renderMarkdown(text))
  })

test('random Markdown is rendered safely', () => {
  const piece = fc.constantFrom(
    ...hostile,
    '[',
    ']',
    '(',
    ')',
    '<',
    '>',
    '"',
    '`',
    '![',
    '|',
    '\n',
    '> ',
    '- ',
    '\\',
    '&#',
    '*',
    '_',
    'a',
  )

  fc.assert(fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => assertSafe(renderMarkdown(pieces.join('')))))
})

/** Returns the code of the error that refuses the text, or undefined if it is accepted. */
async function refusalOf(text: string): Promise<string | undefined> {
  try {
    await renderAsync(text, { key: 'acme', path: '/welcome' })
    return undefined
  } catch (error) {
    const [problem] = (error as AppError).extra.errors as { path: string; code: string }[]
    assert.equal(problem!.path, '/welcome')
    return problem!.code
  }
}

test('long, deep and expanding texts are rejected', async () => {
  assert.equal(await refusalOf('a'.repeat(100_001)), 'maxLength')
  assert.equal(await refusalOf('> '.repeat(30)), 'depth')
  assert.equal(await refusalOf(`${'- '.repeat(30)}x`), 'depth')
  assert.equal(await refusalOf('&'.repeat(40_000)), 'too_long')
  assert.equal(await refusalOf(`${'> '.repeat(5)}x`), undefined)
})

const wideTable = (columns: number, rows: number) =>
  `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${'x\n'.repeat(rows)}`

test('a text whose brackets or cells would take long is refused before it is parsed', async () => {
  const refused = (text: string) => checkBudget(costOf(text))?.code

  assert.equal(refused('!['.repeat(10_000)), 'max_brackets')
  assert.equal(refused('['.repeat(2_001)), 'max_brackets')
  assert.equal(refused(`${'['.repeat(500)}${'*'.repeat(90_000)}`), 'max_brackets')
  assert.equal(refused(wideTable(2_500, 5_000)), 'max_cells')
  assert.equal(refused(`> ${wideTable(200, 100).replaceAll('\n', '\n> ')}`), 'max_cells')
  assert.equal(refused(`[a](https://example.com) ${wideTable(20, 100)}\n\n${'line\n'.repeat(5_000)}`), undefined)
  assert.equal(await refusalOf('!['.repeat(10_000)), 'max_brackets')
  assert.equal(await renderStoredMarkdown('!['.repeat(2_001), { key: 'acme' }), `<p>${'!['.repeat(2_001)}</p>`)
})

test('a long text is parsed in another thread', async () => {
  const long = `${'Some *text*.\n\n'.repeat(300)}`

  assert.equal(await renderAsync(long, { key: 'acme' }), renderMarkdown(long))
})

test('no text takes much longer than ordinary text of the same length', () => {
  const repeat = (text: string) => text.repeat(Math.floor(100_000 / text.length))
  const measureCpu = (text: string): number => {
    const before = process.cpuUsage()
    if (!checkBudget(costOf(text))) parseText(text)
    return process.cpuUsage(before).user
  }
  const ordinary = repeat('Some *text* with a [link](https://example.com/a) and `code`.\n\n')
  const usual = Math.max(...Array.from({ length: 5 }, () => measureCpu(ordinary)))
  const parts = [
    '[',
    '![',
    '*',
    '_a',
    '`a',
    '<',
    '[a](',
    '|a',
    '> ',
    '&#',
    'http://',
    'a@',
    '~~a',
    '\\',
    '- ',
    '[a]: b\n',
  ]
  for (const part of parts) {
    const ratio = measureCpu(repeat(part)) / usual

    assert.ok(ratio < 30, `${JSON.stringify(part)} takes ${ratio.toFixed(1)} times as long`)
  }
})
