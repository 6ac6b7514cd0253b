import { importTexts as texts } from '../../../texts/en/import-texts.ts'
import type { Hue } from '../../../ui/badge.tsx'
import type { Step } from '../model/step-names.ts'
import type { ListedImport, RecordType } from '../model/types.ts'

const hues: Readonly<Record<ListedImport['state'], Hue>> = {
  uploaded: 'neutral',
  mapped: 'neutral',
  checking: 'info',
  running: 'info',
  completed: 'success',
  failed: 'danger',
  cancelled: 'warning',
  undoing: 'info',
  undone: 'neutral',
}

/** The state of an import as a badge. A checked one says that nothing is written. */
export const stateOfImport = ({ state, dry_run }: Pick<ListedImport, 'state' | 'dry_run'>) =>
  state === 'mapped' && dry_run
    ? { hue: 'info' as const, children: texts.states.checked }
    : { hue: hues[state], children: texts.states[state] }

export function describeState(file: ListedImport, step: Step, type: RecordType) {
  const isPrepared = ['uploaded', 'mapped'].includes(file.state) && step !== 'check'
  return isPrepared ? { hue: 'neutral' as const, hasDot: false, children: texts.kinds[type] } : stateOfImport(file)
}
