import { listRecordCommands } from '../../../patterns/record/record-commands.ts'
import type { Command } from '../../../session/commands.ts'
import { accountTexts } from '../../../texts/en/account-texts.ts'

const { commands: texts } = accountTexts
const { group } = texts

export type StartActivity = (kind: 'call' | 'email' | 'note' | 'task') => void

type AccountActions = {
  canEdit: boolean
  start: StartActivity
  edit: () => void
  assign: () => void
  /** Left out if the user may not delete the account. */
  remove: (() => void) | undefined
}

/** The keys of the open account. */
export const listAccountCommands = ({ canEdit, start, edit, assign, remove }: AccountActions): Command[] => [
  ...listRecordCommands('account', { group, isAvailable: canEdit, compose: start, edit }),
  { id: 'account:assign', label: texts.assign, group, keys: ['a'], isAvailable: canEdit, run: assign },
  { id: 'account:delete', label: texts.remove, group, isAvailable: remove !== undefined, run: () => remove?.() },
]
