import { escapeHtml } from './escape-html.ts'

type AttributeValue = string | number | boolean | undefined

export const attributes = (values: Record<string, AttributeValue>): string =>
  Object.entries(values)
    .map(([name, value]) => {
      if (value === undefined || value === false) return ''
      return value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`
    })
    .join('')
