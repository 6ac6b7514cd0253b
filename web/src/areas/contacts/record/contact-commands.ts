import { listRecordCommands } from '../../../patterns/record/record-commands.ts'
import type { Command } from '../../../session/commands.ts'
import { contactRecordTexts as texts } from '../../../texts/en/contact-record-texts.ts'
import type { ComposeKind } from '../contact-search.ts'

type ContactActions = {
  isAvailable: boolean
  compose: (kind: ComposeKind) => void
  edit: () => void
  assign: () => void
}

const { group } = texts

/** The keys of one contact: the open one, otherwise the active row of the list. */
export const listContactCommands = ({ isAvailable, compose, edit, assign }: ContactActions): Command[] => [
  ...listRecordCommands('contact', { group, isAvailable, compose, edit }),
  { id: 'contact:assign', label: texts.assign, group, keys: ['a'], isAvailable, run: assign },
]
