import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { readSourceFiles } from './source-files.ts'

const root = join(import.meta.dirname, '../..')
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).map((path) => ({
  path,
  text: readFileSync(join(root, path), 'utf8'),
}))

/** Anchors of the headings as GitHub creates them. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{Letter}\p{Number} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** `file` is the target from the root of the repository, or the page itself for a link to an anchor. */
function findProblem(file: string, anchor: string | undefined): string | undefined {
  if (!existsSync(join(root, file))) return 'no such file'
  const isPage = anchor && file.endsWith('.md')
  return isPage && !anchorsOf(readFileSync(join(root, file), 'utf8')).includes(anchor) ? 'no such heading' : undefined
}

test('links between documents lead to a file and a heading', () => {
  const links = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(([, target, anchor]) => ({
      link: `${path} -> ${target}#${anchor ?? ''}`,
      problem: findProblem(target ? relative(root, join(root, dirname(path), target)) : path, anchor),
    })),
  )

  assert.ok(links.length > 50, `${links.length} links`)
  assert.deepEqual(
    links.filter(({ problem }) => problem),
    [],
  )
})

test('code names documents that exist', () => {
  const mentions = readSourceFiles(['src/**/*.ts', 'tests/**/*.ts', 'scripts/**/*.ts', 'bench/**/*.ts']).flatMap(
    ({ path, lines }) =>
      [...lines.join('\n').matchAll(/\bdocs\/[\w./-]+\.md\b(?:#([\w-]+))?/g)].map(([mention, anchor]) => ({
        mention: `${path} -> ${mention}`,
        problem: findProblem(mention.replace(/#.*/, ''), anchor),
      })),
  )

  assert.ok(mentions.length > 5, `${mentions.length} mentions`)
  assert.deepEqual(
    mentions.filter(({ problem }) => problem),
    [],
  )
})

test('the overview of the architecture has at most 200 lines and links to every topic', () => {
  const { text } = pages.find(({ path }) => path === 'docs/architecture.md')!
  const topics = pages.filter(({ path }) => path.startsWith('docs/architecture/'))

  assert.ok(text.split('\n').length <= 201)
  assert.deepEqual(
    topics.filter(({ path }) => !text.includes(`](${path.replace('docs/', '')})`)).map(({ path }) => path),
    [],
  )
})
