import type { Command } from '../../session/commands.ts'
import { dealTexts } from '../../texts/en/deal-texts.ts'

/** An action that a key starts in a deal: an activity, a new owner, or a change of its fields. */
export type DealAction = 'call' | 'email' | 'note' | 'task' | 'assign' | 'edit'

const keys: Readonly<Record<DealAction, string>> = {
  call: 'l',
  email: 'm',
  note: 'n',
  task: 't',
  assign: 'a',
  edit: 'e',
}

/** The keys of one deal: the open one, otherwise the active card of the board. */
export const listDealCommands = (isAvailable: boolean, start: (action: DealAction) => void): Command[] =>
  (Object.keys(keys) as DealAction[]).map((action) => ({
    id: `deal:${action}`,
    label: dealTexts.commands[action],
    group: dealTexts.group,
    keys: [keys[action]],
    isAvailable,
    run: () => start(action),
  }))
