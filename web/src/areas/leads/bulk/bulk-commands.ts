import { useState } from 'react'
import { useCommands } from '../../../session/commands.ts'
import { leadCommandTexts as texts } from '../../../texts/en/lead-command-texts.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { type SettableStatus, settableStatuses } from '../lead-status.ts'

export type AskedBulkAction = 'assign' | SettableStatus

/** The keys of the selected leads. What they do may still be loaded, then it follows. */
export function useBulkCommands(selected: number) {
  const [asked, ask] = useState<AskedBulkAction>()
  if (asked && selected === 0) ask(undefined)
  const isAvailable = selected > 0
  const { group } = texts
  useCommands([
    { id: 'lead:assign', label: texts.assign, group, keys: ['a'], isAvailable, run: () => ask('assign') },
    ...settableStatuses.map((status, at) => ({
      id: `lead:status:${status}`,
      label: texts.setStatus(leadTexts.statuses[status]),
      group,
      keys: [String(at + 1)],
      isAvailable,
      isListed: false,
      run: () => ask(status),
    })),
  ])
  return { asked, endAsked: () => ask(undefined) }
}
