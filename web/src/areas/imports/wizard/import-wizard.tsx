import { getRouteApi } from '@tanstack/react-router'
import { WizardFrame } from '../../../patterns/wizard/wizard-frame.tsx'
import { useMe } from '../../../session/me.ts'
import { importCheckTexts as checkTexts } from '../../../texts/en/import-check-texts.ts'
import { importTexts as texts } from '../../../texts/en/import-texts.ts'
import { Badge } from '../../../ui/badge.tsx'
import { formatNumber, formatTime } from '../../../ui/format.ts'
import { CheckStep } from '../check/check-step.tsx'
import { ColumnsStep } from '../columns/columns-step.tsx'
import { delimiterName, encodingName } from '../file/file-names.ts'
import { FileStep } from '../file/file-step.tsx'
import type { ImportField } from '../model/fields.ts'
import { findProblems } from '../model/problems.ts'
import { type Step, steps } from '../model/step-names.ts'
import { currentStep, isDone, listOpenSteps } from '../model/steps.ts'
import type { RecordImport, RecordType } from '../model/types.ts'
import { OptionsStep } from '../options/options-step.tsx'
import { ImportStep } from '../run/import-step.tsx'
import { describeState } from './describe-state.ts'
import { nextOf } from './next-step.ts'
import { RefusedMapping } from './refused-mapping.tsx'
import { useDraft } from './use-draft.ts'
import { useImportActions } from './use-import-actions.ts'
import { useTaskEnd } from './use-task-end.ts'
import type { Wizard } from './wizard-model.ts'

const route = getRouteApi('/imports/$type/$importId')

type WizardProps = { type: RecordType; file: RecordImport; fields: readonly ImportField[] }

/** The steps of an import from its file to its end. Every step that is done can be opened again. */
export function ImportWizard({ type, file, fields }: WizardProps) {
  const { locale } = useMe()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [draft, setDraft] = useDraft(file)
  useTaskEnd(type, file)
  const step = currentStep(file, search.step)
  const go = (next: Step) => void navigate({ search: { step: next } })
  const { messages, start, pending } = useImportActions({ type, file, draft, go })
  const problems = findProblems(draft, fields, file)
  const wizard: Wizard = { type, file, fields, draft, change: setDraft, problems, messages, step, go }
  const open = listOpenSteps(file)
  const before = steps[steps.indexOf(step) - 1]
  const cancel = () => start('cancel')
  const number = (value: number) => formatNumber(value, locale)
  return (
    <WizardFrame
      list={{ to: '/imports', label: texts.list }}
      title={file.filename}
      badge={<Badge {...describeState(file, step, type)} />}
      steps={steps.map((one) => ({
        key: one,
        label: texts.steps[one],
        state: one === step ? 'current' : isDone(one, step) ? 'done' : 'ahead',
        search: open.includes(one) ? { step: one } : undefined,
      }))}
      facts={
        step === 'check' && file.dry_run
          ? checkTexts.checkedAt(formatTime(file.dry_run.finished_at, locale))
          : texts.facts(
              file.row_count,
              number(file.row_count),
              encodingName(file.encoding),
              delimiterName(file.delimiter),
            )
      }
      back={before && open.includes(before) ? { label: texts.back, run: () => go(before) } : undefined}
      next={nextOf({ wizard, start, isPending: pending !== undefined, locale })}
    >
      <RefusedMapping wizard={wizard} />
      {step === 'file' && <FileStep wizard={wizard} />}
      {step === 'columns' && <ColumnsStep wizard={wizard} />}
      {step === 'options' && <OptionsStep wizard={wizard} />}
      {step === 'check' && <CheckStep wizard={wizard} cancel={cancel} />}
      {step === 'import' && <ImportStep wizard={wizard} cancel={cancel} undo={() => start('undo')} />}
    </WizardFrame>
  )
}
