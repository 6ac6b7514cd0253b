import type { Command } from '../../../session/commands.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { listTexts } from '../../../texts/en/list-texts.ts'
import type { LeadSort } from '../lead-search.ts'

export const offeredSorts = Object.keys(leadTexts.sorts) as (keyof typeof leadTexts.sorts)[]

export const sortCommands = (setSort: (sort: LeadSort) => void): Command[] =>
  offeredSorts.map((sort) => ({
    id: `list:sort:${sort}`,
    label: leadTexts.sortCommands[sort],
    group: listTexts.group,
    run: () => setSort(sort),
  }))
