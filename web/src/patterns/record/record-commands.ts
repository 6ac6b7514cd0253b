import type { Command } from '../../session/commands.ts'
import { leadCommandTexts as texts } from '../../texts/en/lead-command-texts.ts'

type ComposeKind = 'call' | 'email' | 'note' | 'task'

type RecordActions = {
  group: string
  isAvailable: boolean
  compose: (kind: ComposeKind) => void
  edit: () => void
}

/** The keys of every record that is a person: activities and the fields. */
export function listRecordCommands(type: string, { group, isAvailable, compose, edit }: RecordActions): Command[] {
  const log = (kind: ComposeKind, label: string, key: string): Command => ({
    id: `${type}:${kind}`,
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
    { id: `${type}:edit`, label: texts.edit, group, keys: ['e'], isAvailable, run: edit },
  ]
}
