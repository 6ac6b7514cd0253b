import type { CustomFieldRow } from '#modules/crm'
import type { Money } from '#platform/money'

export type TemplateVariable = { name: string; fallback: string | null; position: number }
export type TemplateProblem = {
  /** Place of the first character, counted from 1. */
  position: number
  code: 'malformed_template' | 'unknown_variable'
  message: string
}
export type ParsedTemplate = { parts: readonly (string | TemplateVariable)[]; problems: readonly TemplateProblem[] }
export type TemplateValues = Readonly<Record<string, string | null | undefined>>

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

export type RenderedTemplate = { content: string } | { missing: string }

/** Values whose URLs are links, as in the text of the template, because the workspace writes them. */
const trustedVariables: readonly string[] = ['unsubscribe_url', 'sender.signature']

export type FilledTemplate = { parts: readonly (string | { value: string })[] } | { missing: string }

/** Finds the values. An empty value without a fallback is reported, so that no email says "Hi ,". */
export function fillTemplate({ parts }: ParsedTemplate, values: TemplateValues): FilledTemplate {
  const filled: (string | { value: string })[] = []
  for (const part of parts) {
    if (typeof part === 'string') {
      filled.push(part)
      continue
    }
    const value = findValue(part, values)
    if (value === null) return { missing: part.name }
    filled.push(trustedVariables.includes(part.name) ? value : { value })
  }
  return { parts: filled }
}

function findValue({ name, fallback }: TemplateVariable, values: TemplateValues): string | null {
  const value = Object.hasOwn(values, name) ? values[name]?.trim() : undefined
  return value || fallback
}

export function toValueText(value: unknown, field?: Pick<CustomFieldRow, 'type' | 'options'>): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map((item) => labelOf(String(item), field)).join(', ')
  if (typeof value === 'object') return `${(value as Money).amount} ${(value as Money).currency}`
  const text = field?.type === 'datetime' ? String(value).slice(0, 10) : labelOf(String(value), field)
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

const labelOf = (key: string, field?: Pick<CustomFieldRow, 'options'>): string =>
  field?.options.find((option) => option.key === key)?.label ?? key
