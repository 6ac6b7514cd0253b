import { useState } from 'react'
import { contactBulkTexts as texts } from '../../../texts/en/contact-bulk-texts.ts'
import { formTexts } from '../../../texts/en/form-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { parseTags } from './parse-tags.ts'

const formId = 'bulk-tags'

type TagsDialogProps = { title: string; save: (tags: string[]) => void; close: () => void }

export function TagsDialog({ title, save, close }: TagsDialogProps) {
  const [text, setText] = useState('')
  const tags = parseTags(text)
  return (
    <Dialog
      title={title}
      close={close}
      footer={
        <>
          <Button onClick={close}>{formTexts.cancel}</Button>
          <Button type="submit" form={formId} variant="primary" disabled={tags.length === 0}>
            {title}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        onSubmit={(event) => {
          event.preventDefault()
          if (tags.length > 0) save(tags)
        }}
      >
        <TextField
          label={texts.tags}
          hint={texts.tagsHint}
          autoFocus
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
