import type { FoundRecord } from '../../patterns/recent-records.ts'
import type { Command } from '../../session/commands.ts'
import { commandTexts } from '../../texts/en/command-texts.ts'
import { shellTexts } from '../../texts/en/shell-texts.ts'
import { matchesText } from './match-text.ts'

export type MenuEntry =
  | { kind: 'record'; id: string; label: string; record: FoundRecord }
  | { kind: 'command'; id: string; label: string; command: Command }

export type MenuGroup = { value: string; items: MenuEntry[] }

const maxCommands = 8

/** The entries of the menu: found records, or recently opened ones without a query, and the commands that match. */
export function groupEntries(
  query: string,
  { found, recent, commands }: { found: readonly FoundRecord[]; recent: readonly FoundRecord[]; commands: Command[] },
): MenuGroup[] {
  const records = (query ? found : recent).map(toRecordEntry)
  const [navigation, ofPage] = partition(
    commands.filter(({ label, isListed }) => isListed !== false && matchesText(label, query)),
    ({ group }) => group === shellTexts.navigationGroup,
  )
  // The commands of the page come first, because the pages are also in the navigation.
  const matching = [...ofPage, ...navigation]
  const groups = [
    { value: query ? commandTexts.records : commandTexts.recent, items: records },
    { value: commandTexts.commands, items: (query ? matching.slice(0, maxCommands) : matching).map(toCommandEntry) },
  ]
  return groups.filter(({ items }) => items.length > 0)
}

const partition = <T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] => [
  all.filter(isFirst),
  all.filter((one) => !isFirst(one)),
]

const toRecordEntry = (record: FoundRecord): MenuEntry => ({
  kind: 'record',
  id: record.path,
  label: record.title,
  record,
})

const toCommandEntry = (command: Command): MenuEntry => ({
  kind: 'command',
  id: command.id,
  label: command.label,
  command,
})
