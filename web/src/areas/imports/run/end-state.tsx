import { Link } from '@tanstack/react-router'
import { Ban, CircleCheck, FileX2, Undo2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { undoContactImport, undoLeadImport } from '../../../api/access.gen.ts'
import { State } from '../../../patterns/states.tsx'
import { useNow } from '../../../patterns/use-now.ts'
import { may, useMe } from '../../../session/me.ts'
import { importRunTexts as texts } from '../../../texts/en/import-run-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { ErrorsButton } from '../check/errors-button.tsx'
import styles from '../imports.module.css'
import { countWritten } from '../model/steps.ts'
import type { Wizard } from '../wizard/wizard-model.ts'

const UndoDialog = lazyPart(() => import('./undo-dialog.tsx'), 'UndoDialog')

const undoableMs = 7 * 24 * 60 * 60 * 1_000
const undoOf = { leads: undoLeadImport, contacts: undoContactImport }

export function EndState({ wizard, undo }: { wizard: Wizard; undo: () => void }) {
  const { type, file, go } = wizard
  const me = useMe()
  const now = useNow()
  const [isAsking, setAsking] = useState(false)
  const number = (value: number) => formatNumber(value, me.locale)
  const written = countWritten(file)
  const isInTime = file.finished_at !== null && now < Date.parse(file.finished_at) + undoableMs
  const canUndo = written > 0 && isInTime && may(me, undoOf[type])
  const show = (className: string | undefined) => (
    <Link to={`/${type}` as '/leads'} search={{ view: 'all', sort: '-created_at' } as never} className={className}>
      {texts.show[type]}
    </Link>
  )
  const errors = file.failed > 0 && <ErrorsButton type={type} file={file} size="normal" />
  const undoButton = canUndo && (
    <Button icon={<Undo2 size={15} />} onClick={() => setAsking(true)}>
      {texts.undo(number(written))}
    </Button>
  )
  const backToColumns = written === 0 && (
    <Button variant="primary" onClick={() => go('columns')}>
      {texts.backToColumns}
    </Button>
  )
  const dialog = isAsking && <UndoDialog wizard={wizard} written={written} undo={undo} close={() => setAsking(false)} />
  const render = (state: Omit<Parameters<typeof State>[0], 'actions'>, actions: ReactNode) => (
    <>
      <State {...state} actions={actions} />
      {dialog}
    </>
  )
  const next = file.failed > 0 && (
    <Link
      to="/imports/$type/$importId"
      params={{ type, importId: 'new' }}
      search={{ after: file.id }}
      className={styles.link}
    >
      {texts.importCorrected}
    </Link>
  )
  const counts = texts.ended(number(file.created), number(file.updated), file.failed, number(file.failed))
  switch (file.state) {
    case 'completed':
      return render(
        {
          icon: <CircleCheck size={20} />,
          hue: 'success',
          title: texts.done[type](file.created + file.updated, number(file.created + file.updated)),
          children: counts,
        },
        <>
          {show(styles.primaryLink)}
          {errors}
          {next}
          {undoButton}
        </>,
      )
    case 'cancelled':
      return render(
        {
          icon: <Ban size={20} />,
          hue: 'warning',
          title: texts.stoppedAfter(file.done_rows, number(file.done_rows)),
          children: written > 0 ? texts.stoppedText(number(file.row_count - file.done_rows)) : texts.stoppedEarly,
        },
        <>
          {written > 0 && show(styles.link)}
          {backToColumns}
          {undoButton}
        </>,
      )
    case 'undone':
      return render(
        {
          icon: <Undo2 size={20} />,
          hue: 'neutral',
          title: texts.undone(number(file.undone), file.kept, number(file.kept)),
          children: file.kept > 0 ? texts.keptText : texts.undoneText,
        },
        backToColumns,
      )
    default:
      return render(
        {
          icon: <FileX2 size={20} />,
          hue: 'danger',
          title: texts.failedTitle(file.failure?.code ?? ''),
          children:
            file.failure?.code === 'too_many_failures'
              ? texts.failedRows(number(file.failed), number(file.done_rows))
              : (file.failure?.message ?? texts.failedText),
        },
        <>
          {backToColumns}
          {canUndo && (
            <Button variant="primary" onClick={() => setAsking(true)}>
              {texts.undoFirst(number(written))}
            </Button>
          )}
          {errors}
        </>,
      )
  }
}
