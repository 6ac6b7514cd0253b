import type { Command } from '../../session/commands.ts'
import { listTexts } from '../../texts/en/list-texts.ts'
import type { List } from './use-list.ts'

export const sortCommands = ({ definition: { texts }, setSort }: Pick<List, 'definition' | 'setSort'>): Command[] =>
  Object.entries(texts.sortCommands).map(([sort, label]) => ({
    id: `list:sort:${sort}`,
    label,
    group: listTexts.group,
    run: () => setSort(sort),
  }))
