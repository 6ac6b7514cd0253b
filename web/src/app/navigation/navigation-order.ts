import type { UserPreferences } from '../../session/user-preferences.ts'

export type Focus = NonNullable<UserPreferences['focus']>

const groups = ['sell', 'market', 'enable', 'train', 'engage', 'product', 'data', 'workspace'] as const
export type Group = (typeof groups)[number]

/** The groups that a focus opens, and the two pages that a phone shows at the bottom. */
const focuses: Readonly<Record<Focus, { groups: readonly Group[]; dock: readonly string[] }>> = {
  sell: { groups: ['sell', 'enable'], dock: ['/leads', '/tasks'] },
  market: { groups: ['market', 'data', 'sell'], dock: ['/campaigns', '/tasks'] },
  enable: { groups: ['enable', 'train', 'engage'], dock: ['/content', '/rooms'] },
  train: { groups: ['train', 'engage'], dock: ['/learning', '/coaching'] },
  support: { groups: ['engage', 'market', 'sell'], dock: ['/community', '/contacts'] },
  operate: { groups: ['workspace', 'data'], dock: ['/people', '/settings'] },
}

type Entry = { path: string; group: Group | 'start' }
export type ShownGroup<E> = { group: Group; entries: readonly E[]; isInFocus: boolean; isOpen: boolean }

const dockLength = 2

/**
 * The groups of the focus come first and are open, the others are closed. `toggled` are the groups that the user has opened
 * or closed. A focus without any page opens the groups of a seller.
 */
export function orderGroups<E extends Entry>(
  entries: readonly E[],
  focus: Focus | null,
  toggled: readonly string[],
): ShownGroup<E>[] {
  const entriesOf = (group: Group) => entries.filter((entry) => entry.group === group)
  const existing = groups.filter((group) => entriesOf(group).length > 0)
  const ofFocus = (one: Focus) => focuses[one].groups.filter((group) => existing.includes(group))
  const chosen = ofFocus(focus ?? 'sell')
  const first = chosen.length ? chosen : ofFocus('sell')
  return [...first, ...existing.filter((group) => !first.includes(group))].map((group) => {
    const isInFocus = first.includes(group)
    return { group, entries: entriesOf(group), isInFocus, isOpen: isInFocus !== toggled.includes(group) }
  })
}

/** The pages at the bottom of a phone: those of the focus, then the first ones of its groups. */
export function chooseDock<E extends Entry>(entries: readonly E[], focus: Focus | null): E[] {
  const wanted = focuses[focus ?? 'sell'].dock.flatMap((path) => entries.find((entry) => entry.path === path) ?? [])
  const others = orderGroups(entries, focus, []).flatMap((group) => group.entries)
  return [...new Set([...wanted, ...others])].slice(0, dockLength)
}

export const toggle = (names: readonly string[], name: string): string[] =>
  names.includes(name) ? names.filter((one) => one !== name) : [...names, name]
