// The table of settings in docs/operations.md, between its markers. npm run generate writes it.
import { join } from 'node:path'
import { settings } from '../src/platform/config/index.ts'

type Setting = { description?: string; default?: unknown; enum?: string[]; minimum?: number; maximum?: number }

export const operationsPage = join(import.meta.dirname, '..', 'docs', 'operations.md')

const between = /(?<=<!-- settings -->\n)[\s\S]*?(?=<!-- end of settings -->)/

/** The page with the table as the settings say it now. */
export function withConfigTable(page: string): string {
  if (!between.test(page)) throw new Error('docs/operations.md has lost the markers around its table of settings.')
  const rows = Object.entries(settings.properties as Record<string, Setting>).map(rowOf)
  const table = ['| Variable | Default | What it is |', '|---|---|---|', ...rows, ''].join('\n')
  return page.replace(between, () => table)
}

function rowOf([name, setting]: [string, Setting]): string {
  return `| \`${name}\` | ${defaultOf(setting)} | ${setting.description}${choiceOf(setting)} |`
}

const defaultOf = ({ default: given }: Setting): string =>
  given === undefined || given === '' ? 'none' : `\`${String(given)}\``

function choiceOf({ enum: values, minimum, maximum }: Setting): string {
  if (values) return ` One of ${values.map((value) => `\`${value}\``).join(', ')}.`
  return minimum === undefined ? '' : ` From ${minimum} to ${maximum}.`
}
