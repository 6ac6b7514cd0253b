import { formTexts } from '../../texts/en/form-texts.ts'
import { mergeTexts as texts } from '../../texts/en/merge-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

type ConfirmMergeProps = { text: string; merge: () => void; close: () => void }

/** Asks before a merge that the user cannot undo. */
export const ConfirmMerge = ({ text, merge, close }: ConfirmMergeProps) => (
  <Dialog
    title={texts.confirmTitle}
    close={close}
    footer={
      <>
        <Button onClick={close}>{formTexts.cancel}</Button>
        <Button
          variant="danger"
          onClick={() => {
            close()
            merge()
          }}
        >
          {texts.merge}
        </Button>
      </>
    }
  >
    <p>{text}</p>
  </Dialog>
)
