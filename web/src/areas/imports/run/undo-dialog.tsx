import { useMe } from '../../../session/me.ts'
import { importRunTexts as texts } from '../../../texts/en/import-run-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { formatNumber } from '../../../ui/format.ts'
import type { Wizard } from '../wizard/wizard-model.ts'

type DialogProps = { wizard: Wizard; written: number; undo: () => void; close: () => void }

export function UndoDialog({ wizard: { type, file }, written, undo, close }: DialogProps) {
  const { locale } = useMe()
  const number = (value: number) => formatNumber(value, locale)
  const proceed = () => {
    close()
    undo()
  }
  return (
    <Dialog
      title={texts.undoTitle(written, number(written))}
      close={close}
      footer={
        <>
          <Button onClick={close}>{texts.cancel}</Button>
          <Button variant="danger" onClick={proceed}>
            {texts.undo(number(written))}
          </Button>
        </>
      }
    >
      <p>{texts.undoText[type](file.created, number(file.created), file.updated, number(file.updated))}</p>
      <p>{texts.undoKeeps}</p>
    </Dialog>
  )
}
