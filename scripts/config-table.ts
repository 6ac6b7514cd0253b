// Generates the table of settings in docs/operations.md. Used by npm run generate.
import { join } from 'node:path'
import { settings } from '../src/platform/config/index.ts'

type Setting = { description?: string; default?: unknown; enum?: string[]; minimum?: number; maximum?: number }

export const operationsPagePath = join(import.meta.dirname, '..', 'docs', 'operations.md')

const tablePattern = /(?<=<!-- settings -->\n)[\s\S]*?(?=<!-- end of settings -->)/

export function updateConfigTable(page: string): string {
  if (!tablePattern.test(page)) throw new Error('docs/operations.md has no markers for the table of settings.')
  const rows = Object.entries(settings.properties as Record<string, Setting>).map(formatRow)
  const table = ['| Variable | Default | Description |', '|---|---|---|', ...rows, ''].join('\n')
  return page.replace(tablePattern, () => table)
}

function formatRow([name, setting]: [string, Setting]): string {
  return `| \`${name}\` | ${formatDefault(setting)} | ${setting.description}${formatRange(setting)} |`
}

const formatDefault = ({ default: value }: Setting): string =>
  value === undefined || value === '' ? 'none' : `\`${String(value)}\``

function formatRange({ enum: values, minimum, maximum }: Setting): string {
  if (values) return ` One of ${values.map((choice) => `\`${choice}\``).join(', ')}.`
  return minimum === undefined ? '' : ` From ${minimum} to ${maximum}.`
}
