// The web application reads templates with this file while users type, so that it imports nothing.
export type TemplateVariable = { name: string; fallback: string | null; position: number }
export type TemplateProblem = {
  /** Place of the first character, counted from 1. */
  position: number
  code: 'malformed_template' | 'unknown_variable'
  message: string
}
export type ParsedTemplate = { parts: readonly (string | TemplateVariable)[]; problems: readonly TemplateProblem[] }

const namePattern = /^[a-z][a-z0-9_]{0,49}(\.[a-z][a-z0-9_]{0,49})?$/

/** Reads `{{ name }}` and `{{ name | fallback }}`. The text has no other syntax: no expressions, loops or nesting. */
export function parseTemplate(text: string): ParsedTemplate {
  const parts: (string | TemplateVariable)[] = []
  const problems: TemplateProblem[] = []
  const report = (at: number, message: string) =>
    problems.push({ position: at + 1, code: 'malformed_template', message: `${message} at character ${at + 1}.` })
  let at = 0
  while (at < text.length) {
    const [open, close] = [text.indexOf('{{', at), text.indexOf('}}', at)]
    if (close >= 0 && (open < 0 || close < open)) {
      report(close, 'The text has `}}` without `{{`')
      at = close + 2
    } else if (open < 0) {
      parts.push(text.slice(at))
      at = text.length
    } else {
      if (open > at) parts.push(text.slice(at, open))
      if (close < 0) {
        report(open, 'The text has `{{` without `}}`')
        break
      }
      const variable = parseVariable(text.slice(open + 2, close), open + 1)
      if (typeof variable === 'string') report(open, variable)
      else parts.push(variable)
      at = close + 2
    }
  }
  return { parts, problems }
}

function parseVariable(inside: string, position: number): TemplateVariable | string {
  if (/[{}\r\n]/.test(inside)) return 'The text between `{{` and `}}` must not contain braces or line breaks'
  const bar = inside.indexOf('|')
  const name = (bar < 0 ? inside : inside.slice(0, bar)).trim()
  const fallback = bar < 0 ? null : inside.slice(bar + 1).trim()
  if (!namePattern.test(name)) return 'The text between `{{` and `}}` must begin with the name of a variable'
  if (fallback === '') return 'A fallback must not be empty'
  return { name, fallback, position }
}

const variablesOf = ({ parts }: ParsedTemplate): TemplateVariable[] => parts.filter((part) => typeof part !== 'string')

export const templateVariables = (template: ParsedTemplate): string[] => [
  ...new Set(variablesOf(template).map(({ name }) => name)),
]

export const listTemplateProblems = (template: ParsedTemplate, known: ReadonlySet<string>): TemplateProblem[] =>
  [
    ...template.problems,
    ...variablesOf(template)
      .filter(({ name }) => !known.has(name))
      .map(
        ({ name, position }): TemplateProblem => ({
          position,
          code: 'unknown_variable',
          message: `The variable \`${name}\` at character ${position} is unknown.`,
        }),
      ),
  ].toSorted((one, other) => one.position - other.position)
