import { leadListTexts } from '../../../texts/en/lead-list-texts.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { showToast } from '../../../ui/toast.tsx'
import type { LeadSearch } from '../lead-search.ts'
import styles from './filter-dialog.module.css'
import { maxNameLength, saveOwnView } from './own-views.ts'

export function SaveViewDialog({ userId, search, close }: { userId: string; search: LeadSearch; close: () => void }) {
  const save = (form: FormData) => {
    const name = String(form.get('name')).trim()
    if (!name) return
    saveOwnView(userId, name, search)
    showToast(leadListTexts.viewSaved(name))
    close()
  }
  return (
    <Dialog title={leadListTexts.saveViewTitle} close={close}>
      <form className={styles.form} action={save}>
        <TextField
          label={leadListTexts.viewName}
          hint={leadListTexts.viewHint}
          name="name"
          required
          autoFocus
          maxLength={maxNameLength}
        />
        <div className={styles.buttons}>
          <Button onClick={close}>{leadListTexts.cancel}</Button>
          <Button type="submit" variant="primary">
            {leadTexts.saveView}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
