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
  const log = (kind: ComposeKind, label: string, key: string): Command => ({
    id: `lead:${kind}`,
    label,
    group,
    keys: [key],
    isAvailable,
    run: () => compose(kind),
  })
  return [
    log('call', texts.logCall, 'l'),
    log('email', texts.logEmail, 'm'),
    log('note', texts.writeNote, 'n'),
    log('task', texts.createTask, 't'),
    { id: 'lead:edit', label: texts.edit, group, keys: ['e'], isAvailable, run: edit },
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
