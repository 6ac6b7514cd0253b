import { Upload } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { fileTexts } from '../../texts/en/file-texts.ts'
import styles from './file-drop.module.css'

/** Takes a file that is dropped, or chosen in a dialog of the system. */
export function FileDrop({
  label,
  hint,
  accept,
  choose,
}: {
  label: string
  hint: string
  /** Endings and media types, such as `.csv,text/csv`. */
  accept: string
  choose: (file: File) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file) choose(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same by keyboard
    <div
      className={`${styles.drop} ${isOver ? styles.over : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Upload size={18} aria-hidden="true" />
      <span>
        {label}{' '}
        <button type="button" className={styles.choose} onClick={() => input.current?.click()}>
          {fileTexts.choose}
        </button>
        <small>{hint}</small>
      </span>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        aria-label={fileTexts.file}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          // The same file can be chosen again.
          target.value = ''
          if (file) choose(file)
        }}
      />
    </div>
  )
}
