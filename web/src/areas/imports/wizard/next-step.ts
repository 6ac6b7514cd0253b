import type { NextStep } from '../../../patterns/wizard/wizard-frame.tsx'
import { importTexts as texts } from '../../../texts/en/import-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import { isSaved } from '../model/draft.ts'
import type { Wizard } from './wizard-model.ts'

type Action = 'save' | 'check' | 'run'
type Wanted = { wizard: Wizard; start: (action: Action) => void; isPending: boolean; locale: string }

/** Returns what the primary button of each step does. The last one names the number of rows that it writes. */
export function nextOf({ wizard, start, isPending, locale }: Wanted): NextStep | undefined {
  const { step, file, problems, go } = wizard
  const blocking = problems.filter((problem) => problem.isBlocking).length
  const blockedBy = blocking > 0 ? texts.blocked(blocking) : undefined
  switch (step) {
    case 'file':
      return { label: texts.steps.columns, run: () => go('columns') }
    case 'columns':
      return { label: texts.steps.options, run: () => start('save'), blockedBy, isPending }
    case 'options':
      return { label: texts.steps.check, run: () => start('check'), blockedBy, isPending }
    case 'check': {
      if (file.state !== 'mapped' || !file.dry_run) return undefined
      if (!isSaved(wizard.draft, file))
        return { label: texts.checkAgain, run: () => start('check'), blockedBy, isPending }
      const count = file.dry_run.created + file.dry_run.updated
      return {
        label: texts.importRows(count, formatNumber(count, locale)),
        run: () => start('run'),
        blockedBy: count === 0 ? texts.noRowsToImport : blockedBy,
        isPending,
        isFinal: true,
      }
    }
    default:
      return undefined
  }
}
