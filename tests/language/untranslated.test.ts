// A text that is not in web/src/texts stays English in every language.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import ts from 'typescript'
import { readSourceFiles } from './source-files.ts'

/** Attributes and properties that people read or hear. */
const readNames = new Set('alt aria-description aria-label label placeholder title'.split(' '))

/** Those that are also used for keys, which are single words in lower case. */
const otherNames = new Set('area description empty group hint part submit text'.split(' '))
const isKey = (text: string): boolean => text === text.toLowerCase() && !text.includes(' ')

/** Names and examples that are the same in every language. */
const names = new Set(['Tributary', '#0a7cff'])

type Text = { where: string; text: string }

function listTexts(path: string, source: string): Text[] {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, kind)
  const found: Text[] = []
  const add = (node: ts.Node, text: string) => {
    const where = `${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`
    if (/\p{L}/u.test(text) && !names.has(text.trim())) found.push({ where, text: text.trim() })
  }
  const addValue = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node))
      add(node, node.text)
    else if (ts.isTemplateExpression(node))
      for (const part of [node.head, ...node.templateSpans.map(({ literal }) => literal)]) addValue(part)
    else if (ts.isConditionalExpression(node)) for (const part of [node.whenTrue, node.whenFalse]) addValue(part)
    else if (ts.isBinaryExpression(node) && !isComparison(node))
      for (const part of [node.left, node.right]) addValue(part)
    else if (ts.isParenthesizedExpression(node) || (ts.isJsxExpression(node) && node.expression))
      addValue(node.expression!)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) add(node, node.text)
    else if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) addValue(node)
    else if ((ts.isJsxAttribute(node) || ts.isPropertyAssignment(node)) && node.initializer) {
      const name = node.name.getText(file)
      const isText = otherNames.has(name) && ts.isStringLiteral(node.initializer) && !isKey(node.initializer.text)
      if (readNames.has(name) || isText) addValue(node.initializer)
    } else if (ts.isCallExpression(node) && node.expression.getText(file) === 'showToast') addValue(node.arguments[0]!)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

const isComparison = ({ operatorToken: { kind } }: ts.BinaryExpression): boolean =>
  kind >= ts.SyntaxKind.FirstBinaryOperator && kind !== ts.SyntaxKind.PlusToken && !logical.has(kind)

const logical = new Set([
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.AmpersandAmpersandToken,
])

test('the web application shows no text outside of web/src/texts', () => {
  const files = readSourceFiles(['web/src/**/*.{ts,tsx}']).filter(
    ({ path }) => !/^web\/src\/texts\/|\.test\.ts$|\.d\.ts$/.test(path),
  )
  const found = files.flatMap(({ path, lines }) => listTexts(path, lines.join('\n')))

  assert.ok(files.length > 200, `${files.length} files`)
  assert.deepEqual(found, [])
})

test('a text outside of web/src/texts is found in each place', () => {
  const source = `
    const Part = () => <Button label="Save" title={isNew ? 'New' : texts.old} alt={\`Picture \${name}\`}>Close {a ?? 'None'}</Button>
    const command = { label: 'Next row', group: texts.list, id: 'row' }
    showToast('Saved')`

  const found = listTexts('part.tsx', source).map(({ text }) => text)

  assert.deepEqual(found, ['Save', 'New', 'Picture', 'Close', 'None', 'Next row', 'Saved'])
})
