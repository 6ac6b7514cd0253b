import { listRecordCommands } from '../../../patterns/record/record-commands.ts'
import type { Command } from '../../../session/commands.ts'
import { leadCommandTexts as texts } from '../../../texts/en/lead-command-texts.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import type { ComposeKind } from '../lead-search.ts'
import { canFollow, type LeadStatus, type SettableStatus, settableStatuses } from '../lead-status.ts'

type LeadActions = {
  status: LeadStatus | undefined
  canEdit: boolean
  compose: (kind: ComposeKind) => void
  edit: () => void
  assign: () => void
  setStatus: (status: SettableStatus) => void
}

const { group } = texts

/** The keys of one lead: the open one, otherwise the active row of the list. */
export function listLeadCommands({ status, canEdit, compose, edit, assign, setStatus }: LeadActions): Command[] {
  const isAvailable = canEdit && status !== undefined
  const isOpen = isAvailable && status !== 'converted'
  return [
    ...listRecordCommands('lead', { group, isAvailable, compose, edit }),
    { id: 'lead:assign', label: texts.assign, group, keys: ['a'], isAvailable: isOpen, run: assign },
    ...settableStatuses.map((next, at) => ({
      id: `lead:status:${next}`,
      label: texts.setStatus(leadTexts.statuses[next]),
      group,
      keys: [String(at + 1)],
      isAvailable: isOpen && status !== undefined && canFollow(status, next),
      run: () => setStatus(next),
    })),
  ]
}
