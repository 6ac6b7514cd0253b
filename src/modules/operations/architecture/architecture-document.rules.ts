import { escapeHtml } from '#platform/html'
import type { Architecture, ModuleOverview } from './architecture.schemas.ts'

type Block =
  | { heading: string; level: 1 | 2 | 3 }
  | { paragraph: string }
  | { code: string; language: string }
  | { columns: string[]; rows: string[][] }

export const toMarkdown = (architecture: Architecture): string =>
  `${blocksOf(architecture).map(blockToMarkdown).join('\n\n')}\n`

export const toHtml = (architecture: Architecture): string => blocksOf(architecture).map(blockToHtml).join('\n')

function blocksOf({ service, api_version, modules, stores, external, counts }: Architecture): Block[] {
  const totals = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
  return [
    { heading: `Architecture of ${service} ${api_version}`, level: 1 },
    { paragraph: `${totals.join(', ')}.` },
    { heading: 'Modules', level: 2 },
    { code: diagramOf(modules), language: 'mermaid' },
    ...modules.flatMap(blocksOfModule),
    { heading: 'Stores', level: 2 },
    {
      columns: ['Store', 'Role', 'Required'],
      rows: stores.map(({ name, role, required }) => [name, role, required ? 'yes' : 'no']),
    },
    { heading: 'External services', level: 2 },
    {
      columns: ['Service', 'Configured'],
      rows: external.map(({ name, configured }) => [name, configured ? 'yes' : 'no']),
    },
  ]
}

function blocksOfModule(module: ModuleOverview): Block[] {
  const { name, purpose, tables, routes, jobs, schedules, events_emitted, events_consumed } = module
  const lists = {
    Tables: tables,
    Jobs: jobs,
    Schedules: schedules,
    Events: events_emitted,
    'Consumed events': events_consumed,
  }
  return [
    { heading: name, level: 3 },
    { paragraph: purpose },
    ...Object.entries(lists)
      .filter(([, names]) => names.length)
      .map(([title, names]) => ({ paragraph: `${title}: ${names.join(', ')}` })),
    {
      columns: ['Method', 'Path', 'Access'],
      rows: routes.map(({ method, path, access, scope }) => [method, path, scope ?? access]),
    },
  ]
}

const diagramOf = (modules: readonly ModuleOverview[]): string =>
  [
    'graph TD',
    ...modules.map(({ name }) => `  ${name}`),
    ...modules.flatMap(({ name, depends_on }) => depends_on.map((dependency) => `  ${name} --> ${dependency}`)),
  ].join('\n')

function blockToMarkdown(block: Block): string {
  if ('heading' in block) return `${'#'.repeat(block.level)} ${block.heading}`
  if ('paragraph' in block) return block.paragraph
  if ('code' in block) return `\`\`\`${block.language}\n${block.code}\n\`\`\``
  const toRow = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [toRow(block.columns), toRow(block.columns.map(() => '---')), ...block.rows.map(toRow)].join('\n')
}

function blockToHtml(block: Block): string {
  if ('heading' in block) return `<h${block.level}>${escapeHtml(block.heading)}</h${block.level}>`
  if ('paragraph' in block) return `<p>${escapeHtml(block.paragraph)}</p>`
  if ('code' in block) return `<pre tabindex="0">${escapeHtml(block.code)}</pre>`
  const toRow = (tag: 'th' | 'td', cells: string[]) =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`
  return `<table>\n${[toRow('th', block.columns), ...block.rows.map((cells) => toRow('td', cells))].join('\n')}\n</table>`
}
