import type { CustomFieldRow } from '#modules/crm'
import type { Money } from '#platform/money'
import type { ParsedTemplate, TemplateVariable } from './parse-template.rules.ts'

export type TemplateValues = Readonly<Record<string, string | null | undefined>>

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
