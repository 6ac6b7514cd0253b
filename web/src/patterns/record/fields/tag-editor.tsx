import { X } from 'lucide-react'
import { useState } from 'react'
import { recordTexts } from '../../../texts/en/record-texts.ts'
import styles from './tag-editor.module.css'

const texts = recordTexts.tags

const maxLength = 50

/** The tags of a record. Enter or a comma adds one, Backspace in the empty field removes the last one. */
export function TagEditor({
  tags,
  canEdit,
  save,
}: {
  tags: readonly string[]
  canEdit: boolean
  save: (tags: string[]) => void
}) {
  const [text, setText] = useState('')
  const add = () => {
    const tag = text.trim()
    setText('')
    if (tag && !tags.includes(tag)) save([...tags, tag])
  }
  const remove = (tag: string) => save(tags.filter((one) => one !== tag))
  return (
    <div className={styles.tags}>
      {tags.length === 0 && !canEdit && <span className={styles.empty}>{texts.none}</span>}
      {tags.map((tag) => (
        <span key={tag} className={`${styles.tag} ${canEdit ? '' : styles.fixed}`}>
          {tag}
          {canEdit && (
            <button type="button" aria-label={texts.remove(tag)} onClick={() => remove(tag)}>
              <X size={12} />
            </button>
          )}
        </span>
      ))}
      {canEdit && (
        <input
          className={styles.tagInput}
          aria-label={texts.add}
          placeholder={texts.add}
          maxLength={maxLength}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onBlur={add}
          onKeyDown={(event) => {
            if (event.key === 'Backspace' && text === '' && tags.length > 0) remove(tags.at(-1)!)
            if (event.key !== 'Enter' && event.key !== ',') return
            event.preventDefault()
            add()
          }}
        />
      )}
    </div>
  )
}
