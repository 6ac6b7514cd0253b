// Checks the rules of CONTRIBUTING.md that a machine can check: words, comments and sizes.
import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { countWords, splitPassages, splitSentences } from './passages.ts'
import { commentLines, isProductCode, readSourceFiles, type SourceFile } from './source-files.ts'

const everywhere = readSourceFiles([
  'src/**/*',
  'tests/**/*',
  'bench/**/*',
  'scripts/**/*',
  'web/src/**/*',
  'docs/**/*.md',
  'README.md',
  'CONTRIBUTING.md',
])
const product = everywhere.filter(isProductCode)

const rejectedWords = [
  /\b(whoever|whomever|somebody|nobody|everybody|anew|reckon\w*|meanwhile|mend|mends|mended|mending)\b/i,
  /\b(made out|told apart|dearer)\b/i,
  // Only in lower case: a letter may begin with "Dear".
  /\bdear\b/,
]

/** Files that may contain rejected words, with the reason. */
const exceptions: Record<string, string> = {
  'tests/language/language.test.ts': 'lists the words',
  'src/modules/identity/credentials/connected-apps/allowlist.rules.ts':
    'has the error code `everybody`, which clients may know',
  'src/modules/identity/credentials/connected-apps/allowlist.rules.test.ts': 'asserts the error code `everybody`',
  'src/modules/identity/credentials/connected-apps/connected-apps.test.ts': 'asserts the error code `everybody`',
}

test('names, comments, texts and docs use plain words', () => {
  const found = everywhere
    .filter(({ path }) => !(path in exceptions))
    .flatMap(({ path, lines }) =>
      lines.flatMap((text, index) =>
        rejectedWords.some((words) => words.test(text)) ? [`${path}:${index + 1} ${text.trim()}`] : [],
      ),
    )

  assert.deepEqual(found, [])
})

test('comments start with a verb or the name of the thing', () => {
  const opening = /^\s*(\/\/|\/\*\*?)\s*(What|Who|Whom|Whose|Of|By|Where|How|As|Those|Also|So|With)\b(?!\?)/
  const found = product.flatMap((file) =>
    commentLines(file)
      .filter(({ text, isFirst }) => isFirst && opening.test(text))
      .map(({ line, text }) => `${file.path}:${line} ${text.trim()}`),
  )

  assert.deepEqual(found, [])
})

test('at most 3 % of the lines of product code are comments', () => {
  const comments = product.reduce((sum, file) => sum + commentLines(file).length, 0)
  const lines = product.reduce((sum, file) => sum + file.lines.filter((text) => text.trim()).length, 0)

  assert.ok(comments / lines <= 0.03, `${comments} of ${lines} lines are comments`)
})

test('no file has more than 300 lines and no folder more than 30 files', () => {
  const code = everywhere.filter(({ path }) => /\.tsx?$/.test(path))
  const long = code.filter(({ lines }) => lines.length > 301).map(({ path, lines }) => `${path}: ${lines.length} lines`)
  const folders = Map.groupBy(code, ({ path }) => dirname(path))
  const full = [...folders]
    // Texts are one module for each part of the web application, in the same folder of every language.
    .filter(([folder, files]) => files.length > 30 && !folder.startsWith('web/src/texts/'))
    .map(([folder, files]) => `${folder}: ${files.length}`)

  assert.deepEqual([...long, ...full], [])
})

test('fields are written out instead of spread from a literal', () => {
  const spreadLiteral = /\.\.\.\(?\{|\.\.\.\(?\[[^[\]]*\](?: as const\))?(?=\s*[,\])])/g
  const found = everywhere
    .filter(({ path }) => /\.(ts|js|mjs)$/.test(path) && path !== 'tests/language/language.test.ts')
    .flatMap(({ path, lines }) => [...lines.join('\n').matchAll(spreadLiteral)].map(([text]) => `${path}: ${text}`))

  assert.deepEqual(found, [])
})

const maxPassageWords = 90
const maxSentenceWords = 40

function findLongTexts({ path, lines }: SourceFile): string[] {
  return splitPassages(lines).flatMap(({ line, text }) => {
    const words = countWords(text)
    const long = splitSentences(text).filter((sentence) => countWords(sentence) > maxSentenceWords)
    return [
      ...(words > maxPassageWords ? [`${path}:${line} has a passage of ${words} words`] : []),
      ...long.map((sentence) => `${path}:${line} has a sentence of ${countWords(sentence)} words`),
    ]
  })
}

test('a paragraph, list item or table cell of the docs has at most 90 words, a sentence at most 40', () => {
  const pages = everywhere.filter(({ path }) => path.endsWith('.md'))

  assert.ok(pages.length > 50, `${pages.length} pages`)
  assert.deepEqual(pages.flatMap(findLongTexts), [])
})

test('a long text is found in a paragraph, a list item and a table cell, but not in code', () => {
  const sentence = (words: number) => `${'word '.repeat(words - 1)}end.`
  const long = [sentence(40), sentence(40), sentence(11)].join(' ')
  const page = [
    `## ${sentence(95)}`,
    '',
    sentence(41),
    '',
    long,
    `- ${sentence(40)}`,
    `  ${sentence(40)}`,
    `  ${sentence(11)}`,
    `- ${sentence(40)} ${sentence(40)} ${sentence(10)}`,
    '',
    `| ${sentence(40)} | ${long} |`,
    '',
    `**${sentence(40)}** (${sentence(40)}) – a \`${'code '.repeat(8)}end\``,
    '```',
    sentence(100),
    '```',
    `1. ${sentence(41)}`,
  ]

  assert.deepEqual(findLongTexts({ path: 'page.md', lines: page }), [
    'page.md:3 has a sentence of 41 words',
    'page.md:5 has a passage of 91 words',
    'page.md:6 has a passage of 91 words',
    'page.md:11 has a passage of 91 words',
    'page.md:17 has a sentence of 41 words',
  ])
})
