import { useState } from 'react'
import { listDialogTexts } from '../../../texts/en/list-dialog-texts.ts'
import { listTexts } from '../../../texts/en/list-texts.ts'
import { TextField } from '../../../ui/field.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { FormDialog } from '../../form-dialog.tsx'
import { FormProblem } from '../../form-message.tsx'
import { savePreferences } from '../../preferences/change-user-preferences.ts'
import { useForm } from '../../use-form.ts'
import type { List } from '../use-list.ts'
import { changeList, maxNameLength, maxViews, otherViews, toStoredView, withView } from './own-views.ts'

type SaveViewDialogProps = {
  list: Pick<List, 'definition' | 'search' | 'columns' | 'views'>
  close: () => void
}

export function SaveViewDialog({ list: { definition, search, columns, views }, close }: SaveViewDialogProps) {
  const [isFull, setFull] = useState(false)
  const form = useForm(async (data) => {
    const name = String(data.get('name')).trim()
    const stored = { views: views.map((view) => view.stored) }
    const hasNoPlace = otherViews(stored, name).length >= maxViews
    setFull(hasNoPlace)
    if (!name || hasNoPlace) return
    const view = toStoredView(name, definition.search.viewPart({ ...search, columns: columns.join() }))
    await savePreferences(changeList(definition.name, withView(view)))
    showToast(listDialogTexts.viewSaved(name))
    close()
  })
  return (
    <FormDialog title={listDialogTexts.saveViewTitle} submit={listTexts.saveView} form={form} close={close}>
      <TextField
        label={listDialogTexts.viewName}
        hint={listDialogTexts.viewHint}
        name="name"
        required
        autoFocus
        maxLength={maxNameLength}
      />
      {isFull && <FormProblem>{listDialogTexts.tooManyViews(maxViews)}</FormProblem>}
    </FormDialog>
  )
}
